"""Cases API on FastAPI: pydantic models, a security dependency, slowapi and aiosqlite, as their tutorials show them."""

import base64
import os
import sqlite3
from typing import Annotated
from uuid import uuid4

import aiosqlite
import jwt
from fastapi import Depends, FastAPI, Header, HTTPException, Query, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer, SecurityScopes
from pydantic import BaseModel, Field
from slowapi import Limiter, _rate_limit_exceeded_handler
from slowapi.errors import RateLimitExceeded
from slowapi.middleware import SlowAPIMiddleware
from slowapi.util import get_remote_address

DATABASE = os.environ["DATABASE"]
with sqlite3.connect(DATABASE) as db:
    db.execute("create table cases (n integer primary key, id text, tenant text, status text, subject text)")

app = FastAPI(title="Cases", version="1.27.0")
app.state.limiter = Limiter(key_func=get_remote_address, default_limits=["150/second"])
app.add_exception_handler(RateLimitExceeded, _rate_limit_exceeded_handler)
app.add_middleware(SlowAPIMiddleware)

bearer = HTTPBearer(scheme_name="serverToken", auto_error=False)
made: dict[str, "Case"] = {}


@app.middleware("http")
async def request_id(request: Request, call_next):
    response = await call_next(request)
    response.headers["X-Request-Id"] = request.headers.get("X-Request-Id") or f"req_{uuid4().hex}"
    return response


class CaseRequest(BaseModel):
    subject: str = Field(min_length=1, max_length=200)


class Case(BaseModel):
    id: str = Field(pattern=r"^case_\S+$")
    status: str
    subject: str


class CasePage(BaseModel):
    items: list[Case]
    nextCursor: str | None


def claims(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]) -> dict:
    try:
        return jwt.decode(credentials.credentials if credentials else "", os.environ["JWT_SECRET"], algorithms=["HS256"])
    except jwt.PyJWTError:
        raise HTTPException(401, "Could not validate credentials", {"WWW-Authenticate": "Bearer"})


def permitted(needed: SecurityScopes, claims: Annotated[dict, Depends(claims)]) -> dict:
    if not set(needed.scopes) <= set(claims["permissions"]):
        raise HTTPException(403, "Not enough permissions")
    return claims


def requires(permission: str):
    return Security(permitted, scopes=[permission])


async def database():
    async with aiosqlite.connect(DATABASE) as db:
        yield db


Database = Annotated[aiosqlite.Connection, Depends(database)]


@app.post(
    "/cases",
    status_code=201,
    operation_id="createCase",
    openapi_extra={"x-governed": {"effect": {"read": "getCase", "list": "listCases"}}},
)
async def create_case(
    body: CaseRequest,
    db: Database,
    claims: Annotated[dict, requires("case.create")],
    idempotency_key: Annotated[str, Header(min_length=1)],
) -> Case:
    if idempotency_key in made:
        return made[idempotency_key]
    case = Case(id=f"case_{uuid4().hex}", status="open", subject=body.subject)
    await db.execute(
        "insert into cases (id, tenant, status, subject) values (?, ?, ?, ?)",
        (case.id, claims["tenant"], case.status, case.subject),
    )
    await db.commit()
    made[idempotency_key] = case
    return case


@app.get(
    "/cases",
    operation_id="listCases",
    openapi_extra={
        "x-governed": {
            "pagination": {"limit": "limit", "cursor": "cursor", "items": "/items", "next": "/nextCursor"}
        },
    },
)
async def list_cases(
    db: Database,
    claims: Annotated[dict, requires("case.read")],
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    cursor: str | None = None,
) -> CasePage:
    after = int(base64.b64decode(cursor)) if cursor else 0
    found = list(
        await db.execute_fetchall(
            "select n, id, status, subject from cases where tenant = ? and n > ? order by n limit ?",
            (claims["tenant"], after, limit),
        )
    )
    last = base64.b64encode(str(found[-1][0]).encode()).decode() if len(found) == limit else None
    return CasePage(items=[Case(id=i, status=s, subject=t) for _, i, s, t in found], nextCursor=last)


@app.get("/cases/{case_id}", operation_id="getCase")
async def get_case(case_id: str, db: Database, claims: Annotated[dict, requires("case.read")]) -> Case:
    query = "select id, status, subject from cases where id = ? and tenant = ?"
    for one in await db.execute_fetchall(query, (case_id, claims["tenant"])):
        return Case(id=one[0], status=one[1], subject=one[2])
    raise HTTPException(404, "No such case")
