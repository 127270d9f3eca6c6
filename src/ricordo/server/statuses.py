"""How an error leaves over HTTP: one table of statuses, one shape of body. The message is always a sentence for the person."""

from __future__ import annotations

import logging
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Match

from ricordo import errors

STATUS: dict[type[errors.RicordoError], HTTPStatus] = {
    errors.RicordoError: HTTPStatus.INTERNAL_SERVER_ERROR,
    errors.InvalidInput: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.NotFound: HTTPStatus.NOT_FOUND,
    errors.SwitchedOff: HTTPStatus.CONFLICT,
    errors.VaultError: HTTPStatus.INTERNAL_SERVER_ERROR,
    errors.VaultMissing: HTTPStatus.NOT_FOUND,
    errors.VaultExists: HTTPStatus.CONFLICT,
    errors.VaultLocked: HTTPStatus.LOCKED,
    errors.WrongPassphrase: HTTPStatus.FORBIDDEN,
    errors.VaultInUse: HTTPStatus.CONFLICT,
    errors.VaultTooNew: HTTPStatus.CONFLICT,
    errors.VaultDamaged: HTTPStatus.INTERNAL_SERVER_ERROR,
    errors.StorageFull: HTTPStatus.INSUFFICIENT_STORAGE,
    errors.ModelError: HTTPStatus.BAD_GATEWAY,
    errors.ModelUnreachable: HTTPStatus.BAD_GATEWAY,
    errors.ModelTimeout: HTTPStatus.GATEWAY_TIMEOUT,
    errors.ModelRefused: HTTPStatus.BAD_GATEWAY,
    errors.ContextOverflow: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.ModelGarbled: HTTPStatus.BAD_GATEWAY,
    errors.ModelMissing: HTTPStatus.CONFLICT,
    errors.ImportFailed: HTTPStatus.UNPROCESSABLE_ENTITY,
}

_log = logging.getLogger("ricordo.server")

UNEXPECTED = "Something in Ricordo went wrong; what you wrote before is safe. Try again, and report it if it stays."


def status_of(error: errors.RicordoError) -> HTTPStatus:
    """Return the status of an error: its own in the table."""
    return STATUS[type(error)]


def body_of(kind: str, message: str) -> dict[str, dict[str, str]]:
    """Return the one shape in which every error leaves."""
    return {"error": {"kind": kind, "message": message}}


def proxied_body_of(kind: str, message: str) -> dict[str, dict[str, str | None]]:
    """Return an error as clients of model servers read one."""
    return {"error": {"message": message, "type": kind, "code": kind, "param": None, "kind": kind}}


def reason_of(error: Exception) -> str:
    """Return the sentence that a stream, whose status has long been sent, ends with; what nobody expected is logged."""
    if isinstance(error, errors.RicordoError):
        return str(error)
    log_unexpected(error)
    return UNEXPECTED


def log_unexpected(error: BaseException) -> None:
    """Log of what kind an error is and where it was raised; its message may hold what the person wrote, so that is left out."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else "an unknown place"
    _log.error("%s in %s", type(error).__name__, where)


def answer_errors(app: FastAPI) -> None:
    """Have every error of the app answered in this shape."""
    app.add_exception_handler(errors.RicordoError, _on_purpose)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(HTTPException, _by_the_framework)
    app.add_exception_handler(Exception, _unexpected)


async def _on_purpose(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, errors.RicordoError)
    return JSONResponse(body_of(type(error).__name__, str(error)), status_of(error))


async def _unreadable(request: Request, error: Exception) -> JSONResponse:
    # Only where and what, never the value: it may be what the person wrote.
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    what = str(first["msg"]).removeprefix("Value error, ")
    message = f"{where}: {what}." if where else f"{what}."
    return JSONResponse(body_of("InvalidInput", message), HTTPStatus.UNPROCESSABLE_ENTITY)


async def _by_the_framework(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    messages = {404: "There is nothing at this address.", 405: "This address does not take that method."}
    message = messages.get(error.status_code, "The request cannot be read. Check that it is JSON.")
    body = body_of("NotFound" if error.status_code == 404 else "InvalidInput", message)
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED and (methods := _methods(request)):
        headers["Allow"] = ", ".join(methods)  # the framework names those of the first route at the address alone
    return JSONResponse(body, error.status_code, headers)


def _methods(request: Request) -> list[str]:
    """Return the methods that the app's routes take at an address."""
    routes = request.app.router.routes
    asked = {method: {**request.scope, "method": method} for method in ("DELETE", "GET", "PATCH", "POST", "PUT")}
    return [method for method, scope in asked.items() if any(route.matches(scope)[0] is Match.FULL for route in routes)]


async def _unexpected(request: Request, error: Exception) -> JSONResponse:
    return JSONResponse(body_of("Unexpected", UNEXPECTED), HTTPStatus.INTERNAL_SERVER_ERROR)
