// Cases API on net/http and database/sql: plain text errors, a table of keys, one statement after the other.
package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"

	_ "modernc.org/sqlite"
)

type caller struct {
	Token       string   `json:"token"`
	Name        string   `json:"caller"`
	Tenant      string   `json:"tenant"`
	Permissions []string `json:"permissions"`
	State       string   `json:"state"`
}

type caseRequest struct {
	Subject string `json:"subject"`
}

type caseResponse struct {
	ID      string `json:"id"`
	Status  string `json:"status"`
	Subject string `json:"subject"`
}

type callerKey struct{}

var (
	db      *sql.DB
	callers = map[string]caller{}
)

func id(prefix string) string {
	bytes := make([]byte, 12)
	_, _ = rand.Read(bytes)
	return prefix + hex.EncodeToString(bytes)
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func who(r *http.Request) caller { return r.Context().Value(callerKey{}).(caller) }

func guard(permission string, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		known, found := callers[token]
		if !ok || !found {
			http.Error(w, "unauthorized", http.StatusUnauthorized)
			return
		}
		for _, held := range known.Permissions {
			if held == permission {
				next(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, known)))
				return
			}
		}
		http.Error(w, "forbidden", http.StatusForbidden)
	}
}

func create(w http.ResponseWriter, r *http.Request) {
	key := r.Header.Get("Idempotency-Key")
	if key == "" {
		http.Error(w, "Idempotency-Key header is required", http.StatusBadRequest)
		return
	}
	var in caseRequest
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	if in.Subject == "" || len(in.Subject) > 200 {
		http.Error(w, "subject: must have 1 to 200 characters", http.StatusUnprocessableEntity)
		return
	}
	sum := sha256.Sum256([]byte(in.Subject))
	hash := hex.EncodeToString(sum[:])

	var before, stored string
	err := db.QueryRow("select hash, case_id from keys where caller = ? and key = ?", who(r).Name, key).Scan(&before, &stored)
	if err == nil {
		if before != hash {
			http.Error(w, "Idempotency-Key was used with another request", http.StatusConflict)
			return
		}
		reply(w, http.StatusCreated, caseResponse{ID: stored, Status: "open", Subject: in.Subject})
		return
	}
	made := caseResponse{ID: id("case_"), Status: "open", Subject: in.Subject}
	if _, err = db.Exec("insert into cases (id, tenant, subject) values (?, ?, ?)", made.ID, who(r).Tenant, in.Subject); err == nil {
		_, err = db.Exec("insert into keys (caller, key, hash, case_id) values (?, ?, ?, ?)", who(r).Name, key, hash, made.ID)
	}
	if err != nil {
		log.Print(err)
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	reply(w, http.StatusCreated, made)
}

func list(w http.ResponseWriter, r *http.Request) {
	limit, after := 20, 0
	query := r.URL.Query()
	for name, into := range map[string]*int{"limit": &limit, "cursor": &after} {
		if text := query.Get(name); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 {
				http.Error(w, name+": must be a positive number", http.StatusUnprocessableEntity)
				return
			}
			*into = n
		}
	}
	if limit > 100 {
		limit = 100
	}
	rows, err := db.Query("select n, id, subject from cases where tenant = ? and n > ? order by n limit ?", who(r).Tenant, after, limit)
	if err != nil {
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	defer rows.Close()
	items, last := []caseResponse{}, 0
	for rows.Next() {
		one := caseResponse{Status: "open"}
		if err := rows.Scan(&last, &one.ID, &one.Subject); err != nil {
			http.Error(w, "internal error", http.StatusInternalServerError)
			return
		}
		items = append(items, one)
	}
	var next any
	if len(items) == limit {
		next = strconv.Itoa(last)
	}
	reply(w, http.StatusOK, map[string]any{"items": items, "nextCursor": next})
}

func get(w http.ResponseWriter, r *http.Request) {
	one := caseResponse{Status: "open"}
	err := db.QueryRow("select id, subject from cases where id = ? and tenant = ?", r.PathValue("id"), who(r).Tenant).Scan(&one.ID, &one.Subject)
	if err != nil {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	reply(w, http.StatusOK, one)
}

func main() {
	var known []caller
	text, err := os.ReadFile(os.Getenv("CALLERS"))
	if err == nil {
		err = json.Unmarshal(text, &known)
	}
	if err != nil {
		log.Fatal(err)
	}
	for _, one := range known {
		if one.State == "valid" {
			callers[one.Token] = one
		}
	}
	db, err = sql.Open("sqlite", os.Getenv("DATABASE")+"?_pragma=journal_mode(wal)&_pragma=busy_timeout(10000)")
	if err == nil {
		_, err = db.Exec(`create table cases (n integer primary key, id text, tenant text, subject text);
			create table keys (caller text, key text, hash text, case_id text, primary key (caller, key))`)
	}
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /cases", guard("case.create", create))
	mux.HandleFunc("GET /cases", guard("case.read", list))
	mux.HandleFunc("GET /cases/{id}", guard("case.read", get))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", id("req_"))
		mux.ServeHTTP(w, r)
	})))
}
