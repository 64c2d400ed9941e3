// Cases API on net/http and database/sql: plain text errors, key and case in one transaction that begins with a write.
package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

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
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		known, found := callers[strings.TrimSpace(token)]
		if !strings.EqualFold(scheme, "Bearer") || !found {
			w.Header().Set("WWW-Authenticate", "Bearer")
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
	keys := r.Header.Values("Idempotency-Key")
	if len(keys) != 1 || strings.TrimSpace(keys[0]) == "" {
		http.Error(w, "exactly one Idempotency-Key header is required", http.StatusBadRequest)
		return
	}
	key := keys[0]
	var members map[string]json.RawMessage
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil || !utf8.Valid(text) || !json.Valid(text) {
		http.Error(w, "the body is not JSON", http.StatusBadRequest)
		return
	}
	var in caseRequest
	if err := json.Unmarshal(text, &members); err != nil || members == nil {
		http.Error(w, "the body must be an object", http.StatusUnprocessableEntity)
		return
	}
	var subject *string
	if err := json.Unmarshal(members["subject"], &subject); err != nil || subject == nil ||
		utf8.RuneCountInString(*subject) < 1 || utf8.RuneCountInString(*subject) > 200 {
		http.Error(w, "subject: must be a text of 1 to 200 characters", http.StatusUnprocessableEntity)
		return
	}
	in.Subject = *subject
	sum := sha256.Sum256([]byte(in.Subject))
	hash := hex.EncodeToString(sum[:])

	made, status, err := store(r.Context(), who(r), key, hash, in.Subject)
	switch {
	case err != nil:
		log.Print(err)
		http.Error(w, "internal error", http.StatusInternalServerError)
	case status == http.StatusConflict:
		http.Error(w, "Idempotency-Key was used with another request", status)
	default:
		reply(w, status, made)
	}
}

func store(ctx context.Context, c caller, key, hash, subject string) (caseResponse, int, error) {
	made := caseResponse{ID: id("case_"), Status: "open", Subject: subject}
	// A client that hangs up does not stop its command halfway.
	tx, err := db.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return made, 0, err
	}
	defer func() { _ = tx.Rollback() }()
	result, err := tx.Exec("insert into keys (caller, key, hash, case_id) values (?, ?, ?, ?) on conflict do nothing", c.Name, key, hash, made.ID)
	if err != nil {
		return made, 0, err
	}
	if n, _ := result.RowsAffected(); n == 0 {
		var before string
		if err := tx.QueryRow("select hash, case_id from keys where caller = ? and key = ?", c.Name, key).Scan(&before, &made.ID); err != nil {
			return made, 0, err
		}
		if before != hash {
			return made, http.StatusConflict, nil
		}
		return made, http.StatusCreated, nil
	}
	if _, err := tx.Exec("insert into cases (id, tenant, subject) values (?, ?, ?)", made.ID, c.Tenant, subject); err != nil {
		return made, 0, err
	}
	return made, http.StatusCreated, tx.Commit()
}

func list(w http.ResponseWriter, r *http.Request) {
	limit, after := 20, 0
	query := r.URL.Query()
	for name, into := range map[string]*int{"limit": &limit, "cursor": &after} {
		if query.Has(name) {
			n, err := strconv.Atoi(query.Get(name))
			if err != nil || n < 1 || (name == "limit" && n > 100) {
				http.Error(w, name+": is out of range", http.StatusUnprocessableEntity)
				return
			}
			*into = n
		}
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
	db, err = sql.Open("sqlite", os.Getenv("DATABASE")+"?_pragma=journal_mode(wal)&_pragma=busy_timeout(10000)&_txlock=immediate")
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
