# portico.py 0.1.0 - client of the Portico partner API. Python 3.9 or newer; standard library only. Apache-2.0.
"""Client of the Portico partner API in one file.

    from portico import Portico

    site = Portico().site()
    for space in site.spaces(spaceType="studio"):
        print(space["spaceName"])

It reads PORTICO_BASE_URL, PORTICO_AUTH_URL, PORTICO_CLIENT_ID, PORTICO_CLIENT_SECRET and PORTICO_SITE_ID from the
environment. Objects may be used by several threads. Keyword arguments of reads are the query parameters of the API;
a list is sent with commas, a date as YYYY-MM-DD, and a datetime as ISO 8601.
"""

from __future__ import annotations

import base64
import binascii
import datetime
import email.utils
import hashlib
import hmac
import http.client
import json
import os
import platform
import random
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, TypedDict, Union

VERSION = "0.1.0"

_RETRIED = {408, 429, 500, 502, 503, 504}
_REPEATABLE = {"GET", "HEAD", "PUT", "DELETE"}
_MAX_RETRY_AFTER = 60.0
_REJECTED_SECONDS = 5.0
_LONG_POLL_SECONDS = 25
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_USER_AGENT = f"portico-python/{VERSION} python/{platform.python_version()}"


class PorticoError(Exception):
    """Every error of this module. `code` is stable, for programs."""

    def __init__(self, message: str, code: str):
        super().__init__(message)
        self.code = code


class ConfigurationError(PorticoError):
    """An option is missing or invalid; nothing was sent."""

    def __init__(self, message: str):
        super().__init__(message, "configuration")


class NoResponseError(PorticoError):
    """The connection failed (code "connection"), or there was no response in time ("timeout")."""


class ApiError(PorticoError):
    """The server responded with an error. Include `request_id` when you ask for help."""

    def __init__(self, status: int, code: str, message: str, headers: Mapping[str, str], body: Any = None):
        self.request_id = headers.get("x-request-id") or (body or {}).get("trace_id")
        super().__init__(f"{message} (request {self.request_id})" if self.request_id else message, code)
        self.status = status
        self.headers = headers
        self.problem: Any = body
        self.errors: List[Any] = (body or {}).get("errors") or []
        self.retry_after = _read_retry_after(headers)


class BadRequestError(ApiError):
    """400; `errors` lists the invalid fields."""


class CredentialsError(ApiError):
    """401, and every rejection by the token endpoint, whose number is `aadsts`."""

    aadsts: Optional[int] = None


class ForbiddenError(ApiError):
    """403: the role or the site is not granted to you."""


class NotFoundError(ApiError):
    """404"""


class ConflictError(ApiError):
    """409"""


class GoneError(ApiError):
    """410"""


class IdempotencyError(ApiError):
    """422: the idempotency key was used for another request."""


class RateLimitError(ApiError):
    """429; `retry_after` in seconds."""


class ServerError(ApiError):
    """5xx"""


class CommandFailedError(PorticoError):
    """A command ended without effect; `code` is its reason, such as DEVICE_REJECTED, or its state."""

    def __init__(self, command: Command):
        reason = command["failureReason"]
        text = f": {reason['message']}" if reason else ""
        super().__init__(f"The command ended as {command['state']}{text}", reason["code"] if reason else command["state"])
        self.command = command


class WaitTimeoutError(PorticoError):
    """A command did not end in time. It is still active: wait again, or cancel it."""

    def __init__(self, command: Command, timeout: float):
        super().__init__(f"The command is still {command['state']} after {timeout} s", "wait-timeout")
        self.command = command


class WebhookError(PorticoError):
    """A webhook that must not be trusted."""


_BY_STATUS = {
    400: BadRequestError,
    401: CredentialsError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    410: GoneError,
    422: IdempotencyError,
    429: RateLimitError,
}


class Response:
    """A response with its body as text. The names of headers are in lower case."""

    def __init__(self, status: int, headers: Mapping[str, str], text: str):
        self.status = status
        self.headers = headers
        self.text = text

    def json(self) -> Any:
        try:
            return json.loads(self.text) if self.text else None
        except ValueError as error:
            raise NoResponseError("the response is not JSON; check the address of the server", "connection") from error


class Portico:
    """A client of the partner API. Create one and reuse it. `token` supplies tokens instead of the credentials."""

    def __init__(
        self,
        base_url: Optional[str] = None,
        auth_url: Optional[str] = None,
        client_id: Optional[str] = None,
        client_secret: Optional[str] = None,
        site_id: Optional[str] = None,
        *,
        token: Optional[Callable[[], str]] = None,
        timeout: float = 30,
        max_retries: int = 2,
        pace: bool = True,
    ):
        self.base_url = _require_url(base_url, "base_url", "PORTICO_BASE_URL")
        if self.base_url.endswith("/v1"):
            raise ConfigurationError("base_url ends in /v1: this client calls version 2, whose address ends in /v2")
        self._tokens: Union[_Tokens, _OwnTokens]
        if token:
            self._tokens, self._client_key = _OwnTokens(token), str(id(self))
        else:
            url = _require_url(auth_url, "auth_url", "PORTICO_AUTH_URL")
            client = _require(client_id, "client_id", "PORTICO_CLIENT_ID")
            secret = _require(client_secret, "client_secret", "PORTICO_CLIENT_SECRET")
            if _UUID.fullmatch(secret):
                raise ConfigurationError("client_secret is a UUID: this is the secret's id, not its value")
            self._tokens, self._client_key = _share_tokens(url, client, secret), client
        self._site_id = site_id or os.environ.get("PORTICO_SITE_ID")
        self._timeout = timeout
        self._max_retries = max_retries
        self._pace = pace

    def site(self, site_id: Optional[str] = None) -> Site:
        """The calls that concern a site: this one, or that of PORTICO_SITE_ID."""
        chosen = _require(site_id or self._site_id, "site_id", "PORTICO_SITE_ID")
        if not _UUID.fullmatch(chosen):
            raise ConfigurationError(f"site_id is not a UUID: {chosen}")
        return Site(self, chosen.lower())

    def account(self) -> Account:
        """Your roles, sites, secrets and limits."""
        return self.request("GET", "/account").json()

    def sites(self) -> List[SiteRecord]:
        """The sites granted to you."""
        return self.request("GET", "/sites").json()["data"]

    def request(
        self,
        method: str,
        path: str,
        *,
        site_id: Optional[str] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Response:
        """Any call of the API, with tokens, retries and pacing. Raises an ApiError unless it succeeds or is a 304."""
        url = f"{self.base_url}{path}{_to_search(query)}"
        all_headers = {"Accept": "application/json", "User-Agent": _USER_AGENT, **(headers or {})}
        if site_id:
            all_headers["SiteId"] = site_id
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            all_headers["Content-Type"] = "application/json"
        can_repeat = method in _REPEATABLE or "Idempotency-Key" in all_headers
        most = self._max_retries if max_retries is None else max_retries
        pacer = _share_pacer(f"{self.base_url}\n{self._client_key}\n{site_id}") if self._pace else None
        retries, is_renewed = 0, False
        while True:
            number = pacer.admit() if pacer else 0
            response: Optional[Response] = None
            error: PorticoError
            try:
                token = self._tokens.get(most)
                all_headers["Authorization"] = f"Bearer {token}"
            except PorticoError:
                if pacer:
                    pacer.finish(number, None)
                raise
            try:
                response = _send(method, url, all_headers, data, timeout or self._timeout)
            except NoResponseError as failure:
                error = failure
            finally:
                if pacer:
                    pacer.finish(number, response)
            wait = _backoff(retries)
            is_paced = False
            if response:
                if response.status < 300 or response.status == 304:
                    return response
                error = api_error = _to_error(response)
                if response.status == 401:
                    self._tokens.drop(token)
                    if is_renewed:
                        raise error
                    is_renewed = True
                    continue
                if response.status not in _RETRIED:
                    raise error
                wait = wait if api_error.retry_after is None else api_error.retry_after
                is_paced = response.status == 429 and pacer is not None and pacer.pause(response, wait)
                if wait > _MAX_RETRY_AFTER and not is_paced:
                    raise error
            if not can_repeat or retries >= most:
                raise error
            retries += 1
            if not is_paced:
                time.sleep(wait)


class Site:
    """The calls that concern one site."""

    def __init__(self, portico: Portico, site_id: str):
        self.portico = portico
        self.site_id = site_id

    def spaces(self, **query: Any) -> Iterator[Space]:
        return self._pages("/spaces", query)

    def space_overview(self, space_uuid: str) -> SpaceOverview:
        return self._get(_path("spaces", space_uuid, "overview"))

    def space_hourly(self, space_uuid: str, metric_type: str, **query: Any) -> SpaceSeries:
        """A series in windows of 15, 30 or 60 minutes; fromDateTime, toDateTime, interval, scope, compareTo."""
        return self._get(_path("spaces", space_uuid, "aggregate", metric_type, "hourly"), query)

    def space_daily(self, space_uuid: str, metric_type: str, **query: Any) -> SpaceSeries:
        """A series in windows of a day, a week or a month."""
        return self._get(_path("spaces", space_uuid, "aggregate", metric_type, "daily"), query)

    def devices(self, **query: Any) -> Iterator[Device]:
        return self._pages("/devices", query)

    def device(self, device_uuid: str) -> Device:
        return self._get(_path("devices", device_uuid))

    def device_consumption(self, device_uuid: str, metric_type: str, **query: Any) -> DeviceWindows:
        return self._get(_path("devices", device_uuid, "consumption", metric_type), query)

    def device_readings(self, device_uuid: str, metric_type: str, **query: Any) -> Iterator[Reading]:
        """The readings themselves, oldest first. A range is at most 7 days."""
        path = _path("devices", device_uuid, "consumption", metric_type)
        return self._pages(path, {"interval": "raw", **query}, "timeSeries")

    def aggregate_hourly(self, metricTypes: Sequence[str], **query: Any) -> SpaceSeriesBatch:
        """Series of many spaces, or with groupBy of clusters, buildings or the site."""
        return self._batch("/aggregate/hourly", {"metricTypes": metricTypes, **query})

    def aggregate_daily(self, metricTypes: Sequence[str], **query: Any) -> SpaceSeriesBatch:
        return self._batch("/aggregate/daily", {"metricTypes": metricTypes, **query})

    def consumption_hourly(self, metricTypes: Sequence[str], **query: Any) -> DeviceSeriesBatch:
        """Series of many devices."""
        return self._batch("/consumption/hourly", {"metricTypes": metricTypes, **query})

    def consumption_daily(self, metricTypes: Sequence[str], **query: Any) -> DeviceSeriesBatch:
        return self._batch("/consumption/daily", {"metricTypes": metricTypes, **query})

    def latest(self, **query: Any) -> List[LatestValues]:
        """The current climate and occupancy of many spaces."""
        return list(self._pages("/latest", query))

    def metric_types(self) -> List[MetricType]:
        return self._get("/metric-types")["data"]

    def current_schedule(self, device_uuid: str) -> DeviceSchedule:
        """The schedule in effect, and the next change."""
        return self._get(_path("devices", device_uuid, "schedule"))

    def schedule(self, device_uuid: str, schedule: Mapping[str, Any], idempotency_key: Optional[str] = None) -> Command:
        """Sends a command, once, even if a response is lost. `wait` waits for its effect."""
        headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        path = _path("devices", device_uuid, "schedule")
        return self.portico.request("POST", path, site_id=self.site_id, body=schedule, headers=headers).json()

    def commands(self, device_uuid: str) -> Iterator[Command]:
        """The commands of a device, newest first."""
        return self._pages(_path("devices", device_uuid, "commands"), {})

    def command(self, command: Mapping[str, Any]) -> Command:
        return self._get(_command_path(command))

    def cancel(self, command: Mapping[str, Any]) -> Command:
        """Cancels a command; a ConflictError if it has ended."""
        try:
            return self.portico.request("DELETE", _command_path(command), site_id=self.site_id).json()
        except ConflictError:
            # The first try may have cancelled it although its response was lost.
            found = self.command(command)
            if found["state"] == "CANCELLED" and (found["failureReason"] or {}).get("code") == "REQUESTED":
                return found
            raise

    def wait(self, command: Mapping[str, Any], timeout: float = 60) -> Command:
        """Returns the command when it is CONFIRMED; raises CommandFailedError or WaitTimeoutError otherwise."""
        ends_at = time.monotonic() + timeout
        etag: Optional[str] = None
        latest: Any = None
        poll = 0.25
        while True:
            seconds = min(25, int(ends_at - time.monotonic()))
            is_long_poll = etag is not None and seconds >= 1
            headers = {"If-None-Match": etag} if etag else {}
            if is_long_poll:
                headers["Prefer"] = f"wait={seconds}"
            response = self.portico.request(
                "GET", _command_path(command), site_id=self.site_id, headers=headers, timeout=max(seconds, 0) + 15
            )
            etag = response.headers.get("etag") or etag
            if response.status != 304:
                latest = response.json()
                if latest["state"] == "CONFIRMED":
                    return latest
                if latest["state"] in ("FAILED", "EXPIRED", "CANCELLED"):
                    raise CommandFailedError(latest)
            remaining = ends_at - time.monotonic()
            if remaining <= 0:
                raise WaitTimeoutError(latest, timeout)
            # The first request only obtains the ETag. A server that did not wait is polled.
            if etag and seconds >= 1 and (not is_long_poll or "preference-applied" in response.headers):
                continue
            time.sleep(min(remaining, poll * (0.5 + random.random())))
            poll = min(5.0, poll * 1.5)

    def events(self, **query: Any) -> Iterator[Dict[str, Any]]:
        """The events that follow number `after`, or those of the last hour, oldest first, up to the newest."""
        while True:
            page = self._get("/events", query)
            yield from page["data"]
            query["after"] = page["pagination"]["nextAfter"]
            if not page["pagination"]["hasMore"]:
                return

    def follow_events(self, **query: Any) -> Iterator[Dict[str, Any]]:
        """Events as they happen, for as long as they are iterated; it continues after an outage. Store the `number` of
        the last one, and pass it as `after` to continue after a restart of your program."""
        failures = 0
        while True:
            try:
                headers = {"Prefer": f"wait={_LONG_POLL_SECONDS}"}
                timeout = _LONG_POLL_SECONDS + 15.0
                response = self.portico.request(
                    "GET", "/events", site_id=self.site_id, query=query, headers=headers, timeout=timeout
                )
            except (NoResponseError, RateLimitError, ServerError):
                failures += 1
                time.sleep(min(30.0, 0.5 * 2**failures))
                continue
            failures = 0
            page = response.json()
            yield from page["data"]
            query["after"] = page["pagination"]["nextAfter"]
            if not page["data"] and "preference-applied" not in response.headers:
                time.sleep(1.0)  # a server that did not wait is polled

    def simulate(self, device_uuid: str, mode: str, **more: Any) -> Dict[str, Any]:
        """Sets how a simulated device behaves; only on a site that is a sandbox."""
        path = _path("sandbox", "devices", device_uuid, "simulate")
        return self.portico.request("POST", path, site_id=self.site_id, body={"mode": mode, **more}).json()

    def _get(self, path: str, query: Optional[Mapping[str, Any]] = None) -> Any:
        return self.portico.request("GET", path, site_id=self.site_id, query=query).json()

    def _pages(self, path: str, query: Mapping[str, Any], field: str = "data") -> Iterator[Any]:
        cursor = query.get("cursor")
        while True:
            page = self._get(path, {"limit": 1000, **query, "cursor": cursor})
            yield from page[field]
            cursor = page["pagination"]["nextCursor"]
            if cursor is None:
                return

    def _batch(self, path: str, query: Mapping[str, Any]) -> Any:
        batch = self._get(path, query)
        while batch["pagination"]["nextCursor"] is not None and "limit" not in query:
            page = self._get(path, {**query, "cursor": batch["pagination"]["nextCursor"]})
            batch["series"] += page["series"]
            batch["pagination"] = page["pagination"]
        return batch


def verify_webhook(
    body: Union[str, bytes],
    headers: Mapping[str, str],
    secret: Union[str, Sequence[str]],
    tolerance: float = 300,
) -> Dict[str, Any]:
    """Verifies a webhook (Standard Webhooks) and returns its event. `body` is the raw body, not a parsed object."""
    if not isinstance(body, (str, bytes)):
        raise WebhookError("pass the raw body: what was parsed cannot be verified", "body-was-parsed")
    raw = body.encode() if isinstance(body, str) else body
    found = {name.lower(): value for name, value in headers.items()}
    identifier, timestamp, signature = (found.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if identifier is None or timestamp is None or signature is None:
        raise WebhookError("webhook-id, webhook-timestamp or webhook-signature is missing", "headers-missing")
    if not timestamp.isascii() or not timestamp.isdigit() or abs(time.time() - int(timestamp)) > tolerance:
        raise WebhookError("the timestamp is too far from now: a replay, or a wrong clock", "timestamp")
    content = f"{identifier}.{timestamp}.".encode() + raw
    for one in [secret] if isinstance(secret, str) else secret:
        try:
            key = base64.b64decode(one[6:] if one.startswith("whsec_") else one, validate=True)
        except (binascii.Error, ValueError):
            key = b""
        if not key:
            raise WebhookError("the secret is not whsec_ followed by base64", "secret-shape")
        expected = "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
        if any(hmac.compare_digest(expected.encode(), given.encode()) for given in signature.split(" ")):
            return json.loads(raw)
    raise WebhookError("the signature does not match: another secret, or the body was changed", "signature")


class _Tokens:
    """Tokens of one client: one request at a time, and a renewal while the old token is still valid."""

    def __init__(self, auth_url: str, client_id: str, client_secret: str):
        self._url = f"{auth_url}/oauth2/v2.0/token"
        self._form = {
            "grant_type": "client_credentials",
            "client_id": client_id,
            "client_secret": client_secret,
            "scope": f"api://{client_id}/.default",
        }
        self._lock = threading.Lock()
        # Value, time of renewal and expiry, on a clock that is never set.
        self._token: Optional[Tuple[str, float, float]] = None
        self._failure: Optional[Tuple[PorticoError, float]] = None

    def get(self, max_retries: int) -> str:
        token, now = self._token, time.monotonic()
        if token and now < token[1]:
            return token[0]
        # One thread renews; the others use the token while it is valid.
        if not self._lock.acquire(blocking=not token or now >= token[2]):
            return token[0]  # type: ignore[index]
        try:
            token, now = self._token, time.monotonic()
            if token and now < token[1]:
                return token[0]
            if self._failure and now < self._failure[1]:
                if token and now < token[2]:
                    return token[0]
                raise self._failure[0]
            try:
                self._token = self._exchange(max_retries)
            except PorticoError as error:
                seconds = _REJECTED_SECONDS if isinstance(error, CredentialsError) else 1
                self._failure = (error, time.monotonic() + seconds)
                if token and now < token[2]:
                    return token[0]
                raise
            return self._token[0]
        finally:
            self._lock.release()

    def drop(self, value: str) -> None:
        with self._lock:
            if self._token and self._token[0] == value:
                self._token = None

    def _exchange(self, max_retries: int) -> Tuple[str, float, float]:
        form = urllib.parse.urlencode(self._form).encode()
        headers = {"Content-Type": "application/x-www-form-urlencoded", "User-Agent": _USER_AGENT}
        for retries in range(max_retries + 1):
            try:
                response = _send("POST", self._url, headers, form, 30)
            except NoResponseError:
                if retries == max_retries:
                    raise
                time.sleep(_backoff(retries))
                continue
            if response.status == 200:
                body, now = response.json(), time.monotonic()
                lifetime = float(body["expires_in"])
                return body["access_token"], now + lifetime * random.uniform(0.75, 0.85), now + lifetime
            error = _to_token_error(response)
            wait = _backoff(retries) if error.retry_after is None else error.retry_after
            if response.status not in _RETRIED or wait > _MAX_RETRY_AFTER or retries == max_retries:
                raise error
            time.sleep(wait)
        raise AssertionError("unreachable")


class _OwnTokens:
    """Tokens of a function of the program, which caches them itself."""

    def __init__(self, load: Callable[[], str]):
        self._load = load

    def get(self, _max_retries: int) -> str:
        return self._load()

    def drop(self, value: str) -> None:
        pass


class _Pacer:
    """Delays calls while the rate limit is used up, according to the headers of the responses. Requests in flight are
    subtracted from what is left, unless they were sent more than 2 seconds before the request whose response stated it:
    the server has counted those already."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sent = self._sent_before = 0
        self._in_flight: Dict[int, float] = {}
        self._limit = 0.0
        self._remaining: Optional[float] = None
        self._is_unlimited = False
        self._last_sent = self._not_before = self._remaining_sent = float("-inf")

    def admit(self) -> int:
        while True:
            with self._lock:
                now = time.monotonic()
                wait = max(0.0, self._not_before - now)
                if wait == 0 and self._remaining is None and not self._is_unlimited and len(self._in_flight) >= 20:
                    wait = 0.02  # the first response states the limit
                elif wait == 0 and self._remaining is not None:
                    uncounted = sum(sent > self._remaining_sent - 2 for sent in self._in_flight.values())
                    if self._remaining <= uncounted:
                        # No requests are left: one at a time, a little slower than the limit.
                        wait = max(0.0, self._last_sent + 63 / max(self._limit, 1) - now)
                if wait == 0:
                    self._sent += 1
                    self._last_sent = self._in_flight[self._sent] = now
                    return self._sent
            time.sleep(wait)

    def finish(self, number: int, response: Optional[Response]) -> None:
        limits = _read_limits(response)
        with self._lock:
            sent = self._in_flight.pop(number)
            if not limits:
                self._is_unlimited = self._is_unlimited or response is not None
                return
            # Responses to requests that were in flight together arrive in any order: the newest has the fewest left.
            is_later = number > self._sent_before
            if is_later:
                self._sent_before = self._sent
            if is_later or self._remaining is None or limits[1] < self._remaining:
                self._limit, self._remaining, self._remaining_sent = limits[0], limits[1], sent

    def pause(self, response: Response, seconds: float) -> bool:
        """Whether a 429 is about the limit of the partner; if so, all calls wait."""
        limits = _read_limits(response)
        if not limits or limits[1] >= max(limits[2], 1):
            return False
        with self._lock:
            self._not_before = max(self._not_before, time.monotonic() + seconds)
        return True


def _read_limits(response: Optional[Response]) -> Optional[Tuple[float, float, float]]:
    if response is None or "x-ratelimit-limit" not in response.headers:
        return None
    names = ("x-ratelimit-remaining", "x-ratelimit-remaining-5m")
    remaining = min(float(response.headers.get(name, "inf")) for name in names)
    return float(response.headers["x-ratelimit-limit"]), remaining, float(response.headers.get("x-ratelimit-cost", 1))


_shared_lock = threading.Lock()
_shared_tokens: Dict[Tuple[str, str, str], _Tokens] = {}
_shared_pacers: Dict[str, _Pacer] = {}


def _share_tokens(*credentials: str) -> _Tokens:
    with _shared_lock:
        return _shared_tokens.setdefault(credentials, _Tokens(*credentials))  # type: ignore[arg-type]


def _share_pacer(key: str) -> _Pacer:
    with _shared_lock:
        return _shared_pacers.setdefault(key, _Pacer())


def _require(value: Optional[str], option: str, variable: str) -> str:
    found = (value or os.environ.get(variable) or "").strip()
    if not found:
        raise ConfigurationError(f"{option} is missing: pass it, or set {variable}")
    return found


def _require_url(value: Optional[str], option: str, variable: str) -> str:
    url = _require(value, option, variable).rstrip("/")
    if not re.match(r"https?://[^/\s]+", url):
        raise ConfigurationError(f"{option} is not an address: {url}")
    return url


def _path(*parts: str) -> str:
    return "".join("/" + urllib.parse.quote(part, safe="") for part in parts)


def _command_path(command: Mapping[str, Any]) -> str:
    return _path("devices", command["deviceUuid"], "commands", command["commandUuid"])


def _to_search(query: Optional[Mapping[str, Any]]) -> str:
    given = {name: _to_text(value) for name, value in (query or {}).items() if value is not None}
    return f"?{urllib.parse.urlencode(given, safe=',')}" if given else ""


def _to_text(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    if isinstance(value, bool):
        return str(value).lower()
    return value.isoformat() if isinstance(value, datetime.date) else str(value)


def _send(method: str, url: str, headers: Mapping[str, str], data: Optional[bytes], timeout: float) -> Response:
    request = urllib.request.Request(url, data=data, headers=dict(headers), method=method)
    try:
        try:
            answer = urllib.request.urlopen(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            lower = {name.lower(): value for name, value in answer.headers.items()}
            body = _read_body(answer, time.monotonic() + timeout)
            if len(body) < int(lower.get("content-length", 0)) and answer.code != 304:
                raise http.client.IncompleteRead(body)
            return Response(answer.code, lower, body.decode(errors="replace"))
    except (OSError, http.client.HTTPException) as error:
        code = "timeout" if "timed out" in str(error) else "connection"
        raise NoResponseError(f"no response to {method} {url}: {error}", code) from error


def _read_body(answer: Any, ends_at: float) -> bytes:
    """The timeout of a socket applies to each read: a response that arrives slowly needs a limit for the whole body."""
    chunks: List[bytes] = []
    while True:
        chunk = answer.read1(65536)
        if not chunk:
            return b"".join(chunks)
        chunks.append(chunk)
        if time.monotonic() > ends_at:
            raise TimeoutError("timed out")


def _to_error(response: Response) -> ApiError:
    body = _parse(response.text)
    kind = _BY_STATUS.get(response.status, ServerError if response.status >= 500 else ApiError)
    code = body["type"].rsplit("/", 1)[-1] if "type" in body else f"http-{response.status}"
    message = body.get("detail") or body.get("title") or f"The server answered with {response.status}."
    fields = "; ".join(f"{one['field']}: {one['message']}" for one in body.get("errors") or [])
    return kind(response.status, code, f"{message} [{fields}]" if fields else message, response.headers, body)


def _to_token_error(response: Response) -> ApiError:
    body, status = _parse(response.text), response.status
    kind = RateLimitError if status == 429 else ServerError if status >= 500 else CredentialsError
    message = body.get("error_description", f"The token endpoint answered with {status}.").split(" Trace ID:")[0]
    error = kind(status, body.get("error", f"http-{status}"), message, response.headers, body)
    if isinstance(error, CredentialsError):
        error.aadsts = (body.get("error_codes") or [None])[0]
    return error


def _parse(text: str) -> Dict[str, Any]:
    try:
        body = json.loads(text)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _read_retry_after(headers: Mapping[str, str]) -> Optional[float]:
    value = headers.get("retry-after", "")
    if re.fullmatch(r"\d+(\.\d+)?", value):
        return float(value)
    try:
        until = email.utils.parsedate_to_datetime(value)
        now = email.utils.parsedate_to_datetime(headers["date"])
        return max(0.0, (until - now).total_seconds())
    except (KeyError, TypeError, ValueError, IndexError):
        return None


def _backoff(retries: int) -> float:
    """Full jitter: up to half a second, then twice as much, up to 8 seconds."""
    return random.random() * min(8.0, 0.5 * 2**retries)


# Types of responses, made from /openapi/v2.json by scripts/write-sdk-types.ts. Optional fields may be absent.


class Account(TypedDict, total=False):
    """The roles, sites, secrets and limits of the caller."""

    partnerUuid: str
    name: str
    clientId: str
    roles: List[str]
    sites: List[SiteRecord]
    secrets: List[Secret]
    rateLimits: Dict[str, Any]
    webhooks: Dict[str, Any]
    apiVersion: str
    serverVersion: str


class BoostSchedule(TypedDict, total=False):
    """The highest output of the device, for a limited time."""

    type: str
    durationMinutes: int
    target: Target
    timeZone: str
    expiresAt: str
    failIfOffline: bool
    clientReference: str


class Capabilities(TypedDict, total=False):
    """What a device can do."""

    schedule: Dict[str, Any]
    setpoint: Dict[str, Any]
    power: bool
    modes: List[str]
    boost: Dict[str, Any]


class Command(TypedDict, total=False):
    """A command and what became of it."""

    commandUuid: str
    deviceUuid: str
    type: str
    state: str
    createdAt: str
    updatedAt: str
    expiresAt: str
    completedAt: Optional[str]
    failureReason: Optional[Dict[str, Any]]
    clientReference: Optional[str]
    schedule: Union[WeeklySchedule, OneOffSchedule, OverrideSchedule, BoostSchedule, ResumeSchedule]


class Comparison(TypedDict, total=False):
    """What the range is compared with."""

    value: Optional[float]
    changePercent: Optional[float]
    percentile: Optional[float]
    coverage: float


class CurrentTarget(TypedDict, total=False):
    """A target and its end."""

    target: Optional[Target]
    source: str
    until: Optional[str]


class Device(TypedDict, total=False):
    """A meter, sensor, valve or other device."""

    deviceUuid: str
    deviceName: str
    deviceType: str
    manufacturer: Optional[str]
    model: Optional[str]
    serialNumber: Optional[str]
    siteUuid: str
    buildingUuid: str
    floorNumber: Optional[int]
    spaceUuid: str
    spaceName: str
    clusterUuid: Optional[str]
    submeterOf: Optional[str]
    metricTypes: List[str]
    controllable: bool
    capabilities: Capabilities
    effective: Effective
    status: str
    lastSeenAt: Optional[str]
    batteryPercent: Optional[float]
    warnings: List[Warning]
    firmwareVersion: Optional[str]
    installedAt: Optional[str]


class DeviceColumns(TypedDict, total=False):
    """A series of a device, one array per quantity."""

    deviceUuid: str
    metricType: str
    unit: str
    aggregation: str
    hasData: bool
    isSynthetic: bool
    values: List[Optional[float]]
    min: List[Optional[float]]
    max: List[Optional[float]]
    quality: List[str]
    coverage: List[float]
    components: List[Optional[Dict[str, Any]]]
    summary: Summary


class DeviceSchedule(TypedDict, total=False):
    """What a device does now and next."""

    deviceUuid: str
    timeZone: str
    plan: Optional[WeeklySchedule]
    now: CurrentTarget
    next: Optional[Dict[str, Any]]
    pending: List[Command]


class DeviceSeriesBatch(TypedDict, total=False):
    """Many series over the same windows."""

    granularity: str
    interval: str
    timeZone: str
    fromDateTime: str
    toDateTime: str
    timestamps: List[str]
    series: List[DeviceColumns]
    pagination: Pagination


class DeviceWindows(TypedDict, total=False):
    """A metric of a device in windows."""

    deviceUuid: str
    metricType: str
    unit: str
    aggregation: str
    granularity: str
    interval: str
    timeZone: str
    fromDateTime: str
    toDateTime: str
    hasData: bool
    isSynthetic: bool
    timeSeries: List[Point]
    summary: Summary


class Effective(TypedDict, total=False):
    """What a target may contain now: the capabilities of the device within the policy of the site."""

    setpoint: Optional[Dict[str, Any]]
    setpointByMode: Dict[str, Any]
    modes: List[str]
    power: bool


class EnvironmentOverview(TypedDict, total=False):
    """The newest reading of a climate metric in a space."""

    metricType: str
    unit: str
    value: Optional[float]
    timestamp: Optional[str]
    stale: bool


class LatestValue(TypedDict, total=False):
    """The newest reading of a metric."""

    metricType: str
    unit: str
    value: Optional[float]
    timestamp: Optional[str]
    stale: bool


class LatestValues(TypedDict, total=False):
    """The current climate of a space."""

    spaceUuid: str
    environment: List[LatestValue]
    occupancy: Optional[float]


class MetricType(TypedDict, total=False):
    """A metric and what is known about it."""

    metricType: str
    unit: str
    group: str
    aggregation: str
    description: str
    brickClass: Optional[str]
    haystackTags: List[str]


class OneOffSchedule(TypedDict, total=False):
    """One period with another target."""

    type: str
    startsAt: str
    endsAt: str
    target: Target
    timeZone: str
    expiresAt: str
    failIfOffline: bool
    clientReference: str


class OverrideSchedule(TypedDict, total=False):
    """Another target from now on, until the given end: exactly one of four fields."""

    type: str
    target: Target
    until: str
    durationMinutes: int
    untilNextPeriod: bool
    permanent: bool
    timeZone: str
    expiresAt: str
    failIfOffline: bool
    clientReference: str


class Pagination(TypedDict, total=False):
    """Where the next page starts."""

    nextCursor: Optional[str]
    hasMore: bool


class Point(TypedDict, total=False):
    """One window of a series."""

    timestamp: str
    value: Optional[float]
    min: float
    max: float
    quality: str
    coverage: float
    components: Dict[str, Any]


class Reading(TypedDict, total=False):
    """A value of the device at one instant."""

    timestamp: str
    value: float


class ResumeSchedule(TypedDict, total=False):
    """Ends overrides and boosts."""

    type: str
    timeZone: str
    expiresAt: str
    failIfOffline: bool
    clientReference: str


class Secret(TypedDict, total=False):
    """A secret of a partner, without its value."""

    secretId: str
    hint: str
    createdAt: str
    expiresAt: str
    lastUsedAt: Optional[str]


class SiteRecord(TypedDict, total=False):
    """A site that was granted to you."""

    siteUuid: str
    siteName: str
    timeZone: str
    sandbox: bool


class Space(TypedDict, total=False):
    """A room or another part of a building."""

    spaceUuid: str
    spaceName: str
    spaceType: str
    siteUuid: str
    buildingUuid: str
    buildingName: str
    floorNumber: Optional[int]
    clusterUuid: Optional[str]
    clusterName: Optional[str]
    areaM2: Optional[float]
    capacity: Optional[int]
    timeZone: str
    metricTypes: List[str]
    deviceCount: int


class SpaceColumns(TypedDict, total=False):
    """A series of a space, cluster, building or site, one array per quantity."""

    spaceUuid: str
    clusterUuid: str
    buildingUuid: str
    siteUuid: str
    metricType: str
    unit: str
    aggregation: str
    hasData: bool
    isSynthetic: bool
    values: List[Optional[float]]
    min: List[Optional[float]]
    max: List[Optional[float]]
    quality: List[str]
    coverage: List[float]
    components: List[Optional[Dict[str, Any]]]
    summary: Summary


class SpaceDevice(TypedDict, total=False):
    """A device in the space."""

    deviceUuid: str
    deviceType: str
    status: str


class SpaceOverview(TypedDict, total=False):
    """A space with its consumption, climate and devices."""

    spaceUuid: str
    spaceName: str
    spaceType: str
    siteUuid: str
    buildingUuid: str
    buildingName: str
    floorNumber: Optional[int]
    clusterUuid: Optional[str]
    clusterName: Optional[str]
    areaM2: Optional[float]
    capacity: Optional[int]
    timeZone: str
    metricTypes: List[str]
    deviceCount: int
    consumptionScope: str
    utilities: List[UtilityOverview]
    environment: List[EnvironmentOverview]
    occupancy: Optional[float]
    devices: List[SpaceDevice]


class SpaceSeries(TypedDict, total=False):
    """A metric of a space over time."""

    spaceUuid: str
    scope: str
    metricType: str
    unit: str
    aggregation: str
    granularity: str
    interval: str
    timeZone: str
    fromDateTime: str
    toDateTime: str
    hasData: bool
    isSynthetic: bool
    timeSeries: List[Point]
    summary: Summary


class SpaceSeriesBatch(TypedDict, total=False):
    """Many series over the same windows."""

    granularity: str
    interval: str
    timeZone: str
    fromDateTime: str
    toDateTime: str
    groupBy: str
    timestamps: List[str]
    series: List[SpaceColumns]
    pagination: Pagination


class Summary(TypedDict, total=False):
    """The range as a whole."""

    total: Optional[float]
    suspectTotal: float
    mean: Optional[float]
    min: Optional[float]
    max: Optional[float]
    components: Dict[str, Any]
    comparison: Comparison


class Target(TypedDict, total=False):
    """The desired state of the device. The field effective of a device shows what is accepted."""

    temperature: float
    power: str
    mode: str


class UtilityOverview(TypedDict, total=False):
    """The consumption of one utility today, yesterday and this month."""

    metricType: str
    unit: str
    today: Optional[float]
    yesterday: Optional[float]
    monthToDate: Optional[float]
    lastUpdated: Optional[str]


class Warning(TypedDict, total=False):
    """A state that needs attention."""

    code: str
    since: str
    message: str


class WeeklyPeriod(TypedDict, total=False):
    """A period of the week with its target."""

    days: List[str]
    start: str
    end: str
    target: Target


class WeeklySchedule(TypedDict, total=False):
    """A plan that repeats every week."""

    type: str
    default: Target
    periods: List[WeeklyPeriod]
    timeZone: str
    expiresAt: str
    failIfOffline: bool
    clientReference: str
