// Cases API on Fiber, with what the contract asks for written out.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"mime"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/utils"
)

type Caller struct {
	Token       string   `json:"token"`
	Name        string   `json:"caller"`
	Tenant      string   `json:"tenant"`
	Permissions []string `json:"permissions"`
	State       string   `json:"state"`
}

type Case struct {
	ID      string `json:"id"`
	Status  string `json:"status"`
	Subject string `json:"subject"`
	tenant  string
}

// Problem is a failure with its status and the fields at fault.
type Problem struct {
	Status int               `json:"status"`
	Title  string            `json:"title"`
	Fields map[string]string `json:"fields,omitempty"`
	wait   int
}

func (p *Problem) Error() string { return p.Title }

// A command under its key: what was sent, and what came of it once it is done.
type command struct {
	print [32]byte
	made  *Case
}

type window struct {
	start time.Time
	count int
}

const (
	rate   = 120
	period = time.Second
)

var (
	mu       sync.Mutex
	cases    []Case
	commands = map[string]*command{}
	windows  = map[string]*window{}
	callers  = map[string]Caller{}
)

func caller(c *fiber.Ctx) Caller { return c.Locals("caller").(Caller) }

func authenticate(c *fiber.Ctx) error {
	scheme, token, _ := strings.Cut(c.Get(fiber.HeaderAuthorization), " ")
	known, ok := callers[strings.TrimSpace(token)]
	if !strings.EqualFold(scheme, "Bearer") || !ok {
		c.Set(fiber.HeaderWWWAuthenticate, "Bearer")
		return &Problem{Status: 401, Title: "The credential is missing, expired or invalid."}
	}
	c.Locals("caller", known)
	return c.Next()
}

func throttle(c *fiber.Ctx) error {
	now := time.Now()
	mu.Lock()
	w := windows[caller(c).Name]
	if w == nil || now.Sub(w.start) >= period {
		w = &window{start: now}
		windows[caller(c).Name] = w
	}
	w.count++
	over := w.count > rate
	mu.Unlock()
	if over {
		return &Problem{Status: 429, Title: "Too many requests.", wait: 1}
	}
	return c.Next()
}

func requires(permission string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		for _, p := range caller(c).Permissions {
			if p == permission {
				return c.Next()
			}
		}
		return &Problem{Status: 403, Title: "The permission " + permission + " is missing."}
	}
}

func readCase(c *fiber.Ctx) (string, error) {
	kind, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || kind != "application/json" {
		return "", &Problem{Status: 415, Title: "The body must be application/json."}
	}
	if !utf8.Valid(c.Body()) {
		return "", &Problem{Status: 400, Title: "The body is not UTF-8."}
	}
	var body any
	decoder := json.NewDecoder(bytes.NewReader(c.Body()))
	if err := decoder.Decode(&body); err != nil {
		return "", &Problem{Status: 400, Title: "The body is not JSON."}
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return "", &Problem{Status: 400, Title: "The body is more than one JSON value."}
	}
	members, ok := body.(map[string]any)
	if !ok {
		return "", &Problem{Status: 422, Title: "The body must be an object."}
	}
	subject, ok := members["subject"].(string)
	if n := utf8.RuneCountInString(subject); !ok || n < 1 || n > 200 {
		return "", &Problem{Status: 422, Title: "The body is invalid.", Fields: map[string]string{"subject": "must be a text of 1 to 200 characters"}}
	}
	return subject, nil
}

func createCase(c *fiber.Ctx) error {
	var keys []string
	c.Request().Header.VisitAll(func(name, value []byte) {
		if strings.EqualFold(string(name), "Idempotency-Key") {
			keys = append(keys, string(value))
		}
	})
	if len(keys) != 1 || strings.TrimSpace(keys[0]) == "" {
		return &Problem{Status: 422, Title: "One Idempotency-Key is required.", Fields: map[string]string{"Idempotency-Key": "is required once"}}
	}
	subject, err := readCase(c)
	if err != nil {
		return err
	}
	slot := caller(c).Name + "\x00" + keys[0]
	print := sha256.Sum256([]byte(subject))
	mu.Lock()
	defer mu.Unlock()
	if before := commands[slot]; before != nil {
		if before.print != print {
			return &Problem{Status: 409, Title: "This Idempotency-Key was used for another command."}
		}
		return c.Status(201).JSON(before.made)
	}
	made := Case{ID: "case_" + utils.UUIDv4(), Status: "open", Subject: subject, tenant: caller(c).Tenant}
	cases = append(cases, made)
	commands[slot] = &command{print: print, made: &made}
	return c.Status(201).JSON(made)
}

func listCases(c *fiber.Ctx) error {
	limit, start := 20, 0
	if text := c.Context().QueryArgs().Peek("limit"); text != nil {
		n, err := strconv.Atoi(string(text))
		if err != nil || n < 1 || n > 100 {
			return &Problem{Status: 422, Title: "The query is invalid.", Fields: map[string]string{"limit": "must be 1 to 100"}}
		}
		limit = n
	}
	if text := c.Context().QueryArgs().Peek("cursor"); text != nil {
		plain, err := base64.RawURLEncoding.DecodeString(string(text))
		n, bad := strconv.Atoi(string(plain))
		if err != nil || bad != nil || n < 0 {
			return &Problem{Status: 422, Title: "The query is invalid.", Fields: map[string]string{"cursor": "is none of ours"}}
		}
		start = n
	}
	items := []Case{}
	mu.Lock()
	for _, one := range cases {
		if one.tenant == caller(c).Tenant {
			items = append(items, one)
		}
	}
	mu.Unlock()
	start = min(start, len(items))
	end := min(start+limit, len(items))
	var next any
	if end < len(items) {
		next = base64.RawURLEncoding.EncodeToString([]byte(strconv.Itoa(end)))
	}
	return c.JSON(fiber.Map{"items": items[start:end], "nextCursor": next})
}

func getCase(c *fiber.Ctx) error {
	mu.Lock()
	defer mu.Unlock()
	for _, one := range cases {
		if one.ID == c.Params("id") && one.tenant == caller(c).Tenant {
			return c.JSON(one)
		}
	}
	return &Problem{Status: 404, Title: "There is no such case."}
}

func failed(c *fiber.Ctx, err error) error {
	var problem *Problem
	if !errors.As(err, &problem) {
		problem = &Problem{Status: 500, Title: "The service failed."}
		var known *fiber.Error
		if errors.As(err, &known) {
			problem = &Problem{Status: known.Code, Title: known.Message}
		}
	}
	if problem.wait > 0 {
		c.Set(fiber.HeaderRetryAfter, strconv.Itoa(problem.wait))
	}
	c.Set("X-Request-Id", "req_"+utils.UUIDv4())
	return c.Status(problem.Status).JSON(problem, "application/problem+json")
}

func main() {
	var known []Caller
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
	app := fiber.New(fiber.Config{DisableStartupMessage: true, ErrorHandler: failed, Immutable: true})
	app.Use(func(c *fiber.Ctx) error {
		c.Set("X-Request-Id", "req_"+utils.UUIDv4())
		return c.Next()
	})
	app.Use(authenticate, throttle)
	app.Post("/cases", requires("case.create"), createCase)
	app.Get("/cases", requires("case.read"), listCases)
	app.Get("/cases/:id", requires("case.read"), getCase)
	log.Fatal(app.Listen(fmt.Sprintf("127.0.0.1:%s", os.Getenv("PORT"))))
}
