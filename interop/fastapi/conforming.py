"""Cases API on FastAPI, with what the contract asks for written out: error handlers, one transaction for key and case."""

import hashlib
import json
import os
import sqlite3
import time
from typing import Annotated
from uuid import uuid4

import jwt
from fastapi import Depends, FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.exceptions import HTTPException

DATABASE = os.environ["DATABASE"]
LIMIT = 150
with sqlite3.connect(DATABASE) as db:
    db.executescript(
        """
        pragma journal_mode = wal;
        create table cases (n integer primary key, id text unique, tenant text, status text, subject text);
        create table commands (
            caller text, key text, digest text, response text, primary key (caller, key)
        );
        """
    )

app = FastAPI(title="Cases", version="1.27.0", openapi_url=None)
windows: dict[str, tuple[float, int]] = {}


class RequestIds:
    """Gives every response a request id of its own, those of failures included."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        async def named(message):
            if message["type"] == "http.response.start":
                message["headers"].append((b"x-request-id", f"req_{uuid4().hex}".encode()))
            await send(message)

        await self.app(scope, receive, named if scope["type"] == "http" else send)


def problem(status: int, title: str, errors: list | None = None, headers: dict | None = None) -> JSONResponse:
    body = {"type": "about:blank", "title": title, "status": status}
    if errors:
        body["errors"] = errors
    return JSONResponse(body, status, headers, "application/problem+json")


class Problem(Exception):
    def __init__(self, status, title, errors=None, headers=None):
        self.response = problem(status, title, errors, headers)


@app.exception_handler(Problem)
async def known(_, error: Problem):
    return error.response


@app.exception_handler(HTTPException)
async def framework(_, error: HTTPException):
    return problem(error.status_code, str(error.detail), headers=error.headers)


@app.exception_handler(RequestValidationError)
async def invalid(_, error: RequestValidationError):
    return problem(422, "The request is invalid.", named(error.errors()))


@app.exception_handler(Exception)
async def failed(_, error: Exception):
    return problem(500, "The service failed.")


def named(errors) -> list:
    return [
        {"field": ".".join(map(str, one["loc"][1:] or one["loc"])), "message": one["msg"]}
        for one in errors
    ]


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)


class CaseRequest(Strict):
    subject: str = Field(min_length=1, max_length=200)


def caller(request: Request) -> dict:
    values = request.headers.getlist("authorization")
    scheme, _, token = values[0].partition(" ") if len(values) == 1 else ("", "", "")
    try:
        if scheme.lower() != "bearer":
            raise jwt.InvalidTokenError
        return jwt.decode(token.strip(), os.environ["JWT_SECRET"], algorithms=["HS256"])
    except jwt.PyJWTError:
        raise Problem(401, "The credential is missing, expired or invalid.", None, {"WWW-Authenticate": "Bearer"})


def throttled(claims: Annotated[dict, Depends(caller)]) -> dict:
    now = time.monotonic()
    start, count = windows.get(claims["sub"], (now, 0))
    if now - start >= 1:
        start, count = now, 0
    windows[claims["sub"]] = (start, count + 1)
    if count >= LIMIT:
        raise Problem(429, "Too many requests.", None, {"Retry-After": "1"})
    return claims


def requires(permission: str):
    def check(claims: Annotated[dict, Depends(throttled)]) -> dict:
        if permission not in claims["permissions"]:
            raise Problem(403, f"The permission {permission} is missing.")
        return claims

    return Depends(check)


def connect() -> sqlite3.Connection:
    return sqlite3.connect(DATABASE, timeout=10, isolation_level=None)


def read_key(request: Request) -> str:
    keys = request.headers.getlist("idempotency-key")
    if len(keys) != 1 or not keys[0].strip():
        raise Problem(422, "One Idempotency-Key is required.", [{"field": "Idempotency-Key", "message": "required"}])
    return keys[0]


async def read_body(request: Request) -> CaseRequest:
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise Problem(415, "The body must be application/json.")
    try:
        body = json.loads((await request.body()).decode("utf-8"), parse_constant=refuse)
    except (ValueError, RecursionError):
        raise Problem(400, "The body is not JSON.")
    try:
        return CaseRequest.model_validate(body)
    except ValidationError as error:
        raise Problem(
            422,
            "The body is invalid.",
            [{"field": "/".join(map(str, e["loc"])) or "body", "message": e["msg"]} for e in error.errors()],
        )


def refuse(constant: str):
    raise ValueError(constant)


@app.post("/cases", status_code=201)
async def create_case(request: Request, claims: Annotated[dict, requires("case.create")]):
    key = read_key(request)
    body = await read_body(request)
    digest = hashlib.sha256(body.model_dump_json().encode()).hexdigest()
    db = connect()
    try:
        db.execute("begin immediate")
        before = db.execute(
            "select digest, response from commands where caller = ? and key = ?", (claims["sub"], key)
        ).fetchone()
        if before is not None:
            db.execute("rollback")
            if before[0] != digest:
                raise Problem(409, "This Idempotency-Key was used for another command.")
            return JSONResponse(json.loads(before[1]), 201)
        case = {"id": f"case_{uuid4().hex}", "status": "open", "subject": body.subject}
        db.execute(
            "insert into cases (id, tenant, status, subject) values (?, ?, 'open', ?)",
            (case["id"], claims["tenant"], body.subject),
        )
        db.execute("insert into commands values (?, ?, ?, ?)", (claims["sub"], key, digest, json.dumps(case)))
        db.execute("commit")
        return JSONResponse(case, 201)
    finally:
        db.close()


@app.get("/cases")
def list_cases(
    claims: Annotated[dict, requires("case.read")],
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    cursor: Annotated[str | None, Query(pattern=r"^[0-9]{1,15}$")] = None,
):
    db = connect()
    try:
        found = db.execute(
            "select n, id, status, subject from cases where tenant = ? and n > ? order by n limit ?",
            (claims["tenant"], int(cursor or 0), limit + 1),
        ).fetchall()
    finally:
        db.close()
    page = found[:limit]
    return {
        "items": [{"id": i, "status": s, "subject": t} for _, i, s, t in page],
        "nextCursor": str(page[-1][0]) if len(found) > limit else None,
    }


@app.get("/cases/{case_id}")
def get_case(case_id: str, claims: Annotated[dict, requires("case.read")]):
    db = connect()
    try:
        found = db.execute(
            "select id, status, subject from cases where id = ? and tenant = ?", (case_id, claims["tenant"])
        ).fetchone()
    finally:
        db.close()
    if found is None:
        raise Problem(404, "There is no such case.")
    return {"id": found[0], "status": found[1], "subject": found[2]}


service = RequestIds(app)
