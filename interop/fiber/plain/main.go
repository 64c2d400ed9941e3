// Cases API with Fiber's own middleware, each with the settings that its documentation shows.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/go-playground/validator/v10"
	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/idempotency"
	"github.com/gofiber/fiber/v2/middleware/keyauth"
	"github.com/gofiber/fiber/v2/middleware/limiter"
	"github.com/gofiber/fiber/v2/middleware/recover"
	"github.com/gofiber/fiber/v2/middleware/requestid"
	"github.com/gofiber/fiber/v2/utils"
)

type Caller struct {
	Token       string   `json:"token"`
	Name        string   `json:"caller"`
	Tenant      string   `json:"tenant"`
	Permissions []string `json:"permissions"`
	State       string   `json:"state"`
}

func (c Caller) may(permission string) bool {
	for _, p := range c.Permissions {
		if p == permission {
			return true
		}
	}
	return false
}

type CaseRequest struct {
	Subject string `json:"subject" validate:"required,max=200"`
}

type Case struct {
	ID      string `json:"id"`
	Status  string `json:"status"`
	Subject string `json:"subject"`
	tenant  string
}

var (
	validate = validator.New()
	mu       sync.RWMutex
	cases    []Case
	callers  = map[string]Caller{}
)

func requires(permission string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if !c.Locals("caller").(Caller).may(permission) {
			return fiber.NewError(fiber.StatusForbidden, "missing permission "+permission)
		}
		return c.Next()
	}
}

func createCase(c *fiber.Ctx) error {
	var in CaseRequest
	if err := c.BodyParser(&in); err != nil {
		return fiber.NewError(fiber.StatusUnprocessableEntity, err.Error())
	}
	if err := validate.Struct(in); err != nil {
		return fiber.NewError(fiber.StatusUnprocessableEntity, err.Error())
	}
	made := Case{ID: "case_" + utils.UUIDv4(), Status: "open", Subject: utils.CopyString(in.Subject), tenant: c.Locals("caller").(Caller).Tenant}
	mu.Lock()
	cases = append(cases, made)
	mu.Unlock()
	return c.Status(fiber.StatusCreated).JSON(made)
}

func listCases(c *fiber.Ctx) error {
	limit := c.QueryInt("limit", 20)
	if limit < 1 || limit > 100 {
		return fiber.NewError(fiber.StatusUnprocessableEntity, "limit must be between 1 and 100")
	}
	start := 0
	if cursor := c.Query("cursor"); cursor != "" {
		at, err := strconv.Atoi(cursor)
		if err != nil || at < 0 {
			return fiber.NewError(fiber.StatusUnprocessableEntity, "cursor is invalid")
		}
		start = at
	}
	mine := []Case{}
	mu.RLock()
	for _, one := range cases {
		if one.tenant == c.Locals("caller").(Caller).Tenant {
			mine = append(mine, one)
		}
	}
	mu.RUnlock()
	if start > len(mine) {
		start = len(mine)
	}
	end := start + limit
	var next *string
	if end < len(mine) {
		s := strconv.Itoa(end)
		next = &s
	} else {
		end = len(mine)
	}
	return c.JSON(fiber.Map{"items": mine[start:end], "nextCursor": next})
}

func getCase(c *fiber.Ctx) error {
	mu.RLock()
	defer mu.RUnlock()
	for _, one := range cases {
		if one.ID == c.Params("id") && one.tenant == c.Locals("caller").(Caller).Tenant {
			return c.JSON(one)
		}
	}
	return fiber.ErrNotFound
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

	app := fiber.New(fiber.Config{
		DisableStartupMessage: true,
		ErrorHandler: func(c *fiber.Ctx, err error) error {
			code := fiber.StatusInternalServerError
			if e, ok := err.(*fiber.Error); ok {
				code = e.Code
			}
			return c.Status(code).JSON(fiber.Map{"error": err.Error()})
		},
	})
	app.Use(requestid.New(requestid.Config{Generator: func() string { return "req_" + utils.UUIDv4() }}))
	app.Use(recover.New())
	app.Use(keyauth.New(keyauth.Config{
		Validator: func(c *fiber.Ctx, token string) (bool, error) {
			caller, ok := callers[token]
			if !ok {
				return false, keyauth.ErrMissingOrMalformedAPIKey
			}
			c.Locals("caller", caller)
			return true, nil
		},
	}))
	app.Use(limiter.New(limiter.Config{
		Max:          100,
		Expiration:   time.Second,
		KeyGenerator: func(c *fiber.Ctx) string { return c.Locals("caller").(Caller).Name },
	}))
	app.Use(idempotency.New(idempotency.Config{KeyHeader: "Idempotency-Key"}))
	app.Post("/cases", requires("case.create"), createCase)
	app.Get("/cases", requires("case.read"), listCases)
	app.Get("/cases/:id", requires("case.read"), getCase)
	log.Fatal(app.Listen(fmt.Sprintf("127.0.0.1:%s", os.Getenv("PORT"))))
}
