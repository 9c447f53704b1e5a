"""The API of a Platen server: renders, jobs, batches, uploads, signed URLs and webhooks.

One typed file, standard library only, Python 3.9 or newer::

    from platen import Platen

    platen = Platen("http://127.0.0.1:3000", api_key="plt_live_…")
    card = platen.render("tpl_…", {"title": "Hello"}, output="pdf")
    print(card["url"])
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import hashlib
import hmac
import http.client
import json
import math
import os
import random
import shutil
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from datetime import datetime
from typing import (
    Any,
    BinaryIO,
    Callable,
    Dict,
    Iterable,
    List,
    Literal,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    TypedDict,
    TypeVar,
    Union,
)

__all__ = ["Platen", "PlatenError", "JobFailedError", "WebhookError", "sign_editor_token", "sign_url", "verify_webhook"]

Output = Literal["png", "jpeg", "webp", "avif", "pdf"]
Extension = Literal["png", "jpg", "jpeg", "webp", "avif", "pdf"]
Archive = Literal["pdf", "zip"]
Modifications = Mapping[str, Any]
#: The id of a stored template, or a template that is not stored.
Template = Union[str, Mapping[str, Any]]

_Found = TypeVar("_Found")

#: What the caller knows a render by: a string, or a small object.
Metadata = Union[str, Mapping[str, Union[str, float, bool, None]]]


class _Given(TypedDict, total=False):
    """What is there if the request had it, or if something was odd."""

    metadata: Metadata
    warnings: List[str]


class RenderResult(_Given):
    """A stored asset."""

    id: str
    url: str
    output: Output


class Rendered(RenderResult):
    """A stored asset; its ``warnings`` are always there."""


class Download(TypedDict):
    """A rendered file, which is also stored at its URL."""

    id: str
    url: str
    content: bytes
    #: The media type: ``image/png``.
    type: str
    warnings: List[str]


class BatchError(_Given):
    error: str


class BatchResult(TypedDict):
    results: List[Union[RenderResult, BatchError]]
    count: int
    ok: int


class BatchItemError(TypedDict):
    #: Its place in the request, from 0.
    item: int
    error: str


class Batch(TypedDict):
    """Items of one template, which end in one file."""

    id: str
    template: str
    name: Optional[str]
    merge: Archive
    #: Files in all: an item with several sizes has several.
    count: int
    done: int
    #: Those of the done that have warnings.
    warned: int
    failed: int
    #: The first 50.
    errors: List[BatchItemError]
    #: Needs the key; None until every item is over.
    file: Optional[str]
    created_at: str


class Job(_Given):
    id: str
    status: Literal["queued", "processing", "done", "error"]
    kind: Literal["render", "screenshot"]
    result: Optional[RenderResult]
    error: Optional[str]
    created_at: Optional[str]


class _OfBatch(TypedDict, total=False):
    #: There when a batch is over, whose ``result`` is None.
    batch: Batch


class CompletionEvent(_Given, _OfBatch):
    """What is posted to a webhookUrl."""

    id: str
    status: Literal["done", "error"]
    result: Optional[RenderResult]
    error: Optional[str]


class PlatenError(Exception):
    """The server refused, or could not do, what was asked; the message is its own sentence."""

    def __init__(self, status: int, message: str, retry_after: Optional[float] = None) -> None:
        super().__init__(message)
        #: The HTTP status; 0 when no answer came.
        self.status = status
        #: Seconds after which the server suggests to try again, or None.
        self.retry_after = retry_after


class Preview(TypedDict):
    """A picture that is neither stored nor counted."""

    content: bytes
    type: str
    warnings: List[str]


class JobFailedError(PlatenError):
    """A job ended in ``error``, or every item of a batch did."""

    def __init__(self, job_id: str, message: str) -> None:
        super().__init__(200, message)
        self.id = job_id


class WebhookError(Exception):
    """A webhook that must not be believed."""


#: An address, for messages.
_EXAMPLE = '"http://127.0.0.1:3000"'


class Platen:
    """A Platen server, as one account sees it.

    :param base_url: the server's address, such as ``http://127.0.0.1:3000``; default: the variable PLATEN_URL
    :param api_key: ``plt_live_…`` or ``plt_test_…``; default: the variable PLATEN_KEY
    :param retries: tries beyond the first, after a lost connection or a 429, 500, 502, 503 or 504
    :param timeout: seconds for one try
    :raises TypeError: without an address or a key
    :raises ValueError: for an address that is none
    """

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        retries: int = 2,
        timeout: float = 60,
    ) -> None:
        base_url = base_url or os.environ.get("PLATEN_URL")
        if not base_url:
            raise TypeError(
                f"base_url: is missing; write the address of the server, such as {_EXAMPLE}, or set PLATEN_URL."
            )
        if not base_url.lower().startswith(("http://", "https://")):
            raise ValueError(
                f"base_url: must begin with http:// or https://, such as {_EXAMPLE}, not {json.dumps(base_url)}."
            )
        api_key = api_key or os.environ.get("PLATEN_KEY")
        if not api_key:
            raise TypeError('api_key: is missing; write a key, such as "plt_live_…", or set PLATEN_KEY.')
        self._base = base_url.rstrip("/")
        self._key = api_key
        self._retries = retries
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirect)

    def render(
        self,
        template: Template,
        modifications: Optional[Modifications] = None,
        *,
        output: Output = "png",
        idempotency_key: Optional[str] = None,
        **options: Any,
    ) -> Rendered:
        """Renders a template, by id or the document itself, and waits for the asset. Options: ``scale``, ``quality``, ``compression``, ``pdf``, ``metadata``, and of a design one ``size``, ``lang``, ``brand``."""
        body = {"template": template, "modifications": modifications or {}, "output": output, **options}
        return self._create("/v1/renders", body, idempotency_key)

    def download(
        self,
        template: Template,
        modifications: Optional[Modifications] = None,
        *,
        output: Output = "png",
        idempotency_key: Optional[str] = None,
        **options: Any,
    ) -> Download:
        """Like ``render``, with the file itself as the answer."""
        body = {"template": template, "modifications": modifications or {}, "output": output, **options}
        return self._download("/v1/renders", body, idempotency_key)

    def enqueue(
        self,
        template: Template,
        modifications: Optional[Modifications] = None,
        *,
        output: Output = "png",
        webhook_url: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        **options: Any,
    ) -> str:
        """Accepts a render as a job and returns its id; ``wait``, or the webhook, tells the end."""
        body = {
            "template": template,
            "modifications": modifications or {},
            "output": output,
            "async": True,
            "webhookUrl": webhook_url,
            **options,
        }
        return self._create("/v1/renders", body, idempotency_key)["id"]

    def batch(
        self,
        template: Template,
        items: Sequence[Modifications],
        *,
        output: Output = "png",
        idempotency_key: Optional[str] = None,
        **options: Any,
    ) -> BatchResult:
        """Renders up to 50 items of one template; an item that fails is ``{"error": …}`` in its place.

        Items that have options or ``metadata`` of their own are whole renders: see ``batch_of``.
        """
        # Told apart from modifications by its name alone: a layer may be called `modifications` too.
        wrapped = [{"modifications": item} for item in items]
        body = {"template": template, "items": wrapped, "output": output, **options}
        return self._create("/v1/renders/batch", body, idempotency_key)

    def batch_of(
        self, renders: Sequence[Mapping[str, Any]], *, idempotency_key: Optional[str] = None
    ) -> BatchResult:
        """Renders up to 50 whole requests: ``{"template", "modifications", "output", "metadata", …}``."""
        return self._create("/v1/renders/batch", {"renders": list(renders)}, idempotency_key)

    def create_batch(
        self,
        template: str,
        items: Sequence[Modifications],
        *,
        merge: Archive = "pdf",
        webhook_url: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        **options: Any,
    ) -> str:
        """Accepts up to 10,000 items of one stored template as jobs, which end in one file, and returns the batch's id.

        ``wait_for_batch``, or the webhook, tells the end.

        Options: ``name`` and ``nameFrom`` of the file and its parts, ``sheet`` of labels, ``output`` in a zip,
        ``metadata``, ``pdf``, and of a design ``size``, ``lang``, ``brand``.
        """
        # Told apart from modifications by its name alone: a layer may be called `modifications` too.
        wrapped = [{"modifications": item} for item in items]
        body = {"template": template, "items": wrapped, "merge": merge, "webhookUrl": webhook_url, **options}
        return self._create("/v1/batches", body, idempotency_key)["id"]

    def read_batch(self, batch_id: str) -> Batch:
        """A batch as it stands."""
        return self._json("GET", f"/v1/batches/{_segment(batch_id)}")

    def wait_for_batch(self, batch_id: str, *, timeout: Optional[float] = None) -> Batch:
        """Looks at a batch until all its items are over; ``errors`` tells which of them failed.

        :raises JobFailedError: when no item succeeded, with the first one's sentence
        :raises PlatenError: with status 0 after ``timeout`` seconds
        """

        def look(end: Optional[float]) -> Optional[Batch]:
            batch: Batch = self._json("GET", f"/v1/batches/{_segment(batch_id)}", end=end)
            if batch["failed"] == batch["count"]:
                raise JobFailedError(batch_id, batch["errors"][0]["error"] if batch["errors"] else "Every item failed.")
            return batch if batch["done"] + batch["failed"] == batch["count"] else None

        return _poll("batch", timeout, look)

    def download_batch(self, batch_id: str, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the file of a batch to ``path``, as it arrives. Nothing is there unless all of it arrived.

        :raises PlatenError: with status 409 while items are not over
        """
        part = f"{os.fspath(path)}.{uuid.uuid4().hex}.part"
        try:
            with open(part, "xb") as file:
                self._send("GET", f"/v1/batches/{_segment(batch_id)}/file", into=file)
            os.replace(part, path)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.remove(part)
            raise

    def screenshot(
        self, url: Optional[str] = None, *, idempotency_key: Optional[str] = None, **options: Any
    ) -> Rendered:
        """Captures a public web page, or the markup of ``html``, and waits for the asset.

        Options as the API's: ``width``, ``fullPage``, ``output``, ``pdf``, ``metadata``, …
        """
        return self._create("/v1/screenshots", _capture(url, options), idempotency_key)

    def enqueue_screenshot(
        self,
        url: Optional[str] = None,
        *,
        webhook_url: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        **options: Any,
    ) -> str:
        """Accepts a capture as a job and returns its id; ``wait``, or the webhook, tells the end."""
        body = {**_capture(url, options), "async": True, "webhookUrl": webhook_url}
        return self._create("/v1/screenshots", body, idempotency_key)["id"]

    def download_screenshot(
        self, url: Optional[str] = None, *, idempotency_key: Optional[str] = None, **options: Any
    ) -> Download:
        """Like ``screenshot``, with the file itself as the answer."""
        return self._download("/v1/screenshots", _capture(url, options), idempotency_key)

    def renders(self, **filters: Any) -> Dict[str, Any]:
        """One page, ``{"renders", "next"}``. Filters: ``status``, ``kind``, ``output``, ``template``, ``limit``, ``after``."""
        query = urllib.parse.urlencode({name: value for name, value in filters.items() if value is not None})
        return self._json("GET", f"/v1/history{'?' if query else ''}{query}")

    def delete_render(self, render_id: str) -> None:
        """Deletes a finished render with its file; it stays counted."""
        self._send("DELETE", f"/v1/history/{_segment(render_id)}")

    def job(self, job_id: str) -> Job:
        """A job as it stands."""
        return self._json("GET", f"/v1/renders/{_segment(job_id)}")

    def wait(self, job_id: str, *, timeout: Optional[float] = None) -> RenderResult:
        """Looks at a job until it is over.

        :raises JobFailedError: with the job's sentence
        :raises PlatenError: with status 0 after ``timeout`` seconds
        """

        def look(end: Optional[float]) -> Optional[RenderResult]:
            job: Job = self._json("GET", f"/v1/renders/{_segment(job_id)}", end=end)
            if job["status"] == "error":
                raise JobFailedError(job_id, job["error"] or "The job failed.")
            return job["result"]

        return _poll("job", timeout, look)

    def templates(self) -> List[Dict[str, Any]]:
        """The account's templates, most recently saved first."""
        found: List[Dict[str, Any]] = []
        query = ""
        while True:
            page = self._json("GET", f"/v1/templates{query}")
            found.extend(page["templates"])
            if page.get("next") is None:
                return found
            query = f"?after={_segment(page['next'])}"

    def template(self, template_id: str, version: Optional[int] = None) -> Dict[str, Any]:
        """A template's document, its newest version or another."""
        query = "" if version is None else f"?version={version}"
        return self._json("GET", f"/v1/templates/{_segment(template_id)}{query}")

    def create_template(self, document: Mapping[str, Any]) -> Dict[str, Any]:
        """Stores a template, as version 1."""
        return self._json("POST", "/v1/templates", document, key=str(uuid.uuid4()))

    def replace_template(self, template_id: str, document: Mapping[str, Any]) -> Dict[str, Any]:
        """Saves a new version, which renders use from now on."""
        return self._json("PUT", f"/v1/templates/{_segment(template_id)}", document)

    def preview(
        self,
        template_id: str,
        modifications: Optional[Modifications] = None,
        *,
        output: Output = "png",
        **options: Any,
    ) -> Preview:
        """Draws a stored template without storing or counting it. Options: ``scale``, ``quality``, ``page``, ``size``, …"""
        body = {"modifications": modifications or {}, "output": output, **options}
        content, headers = self._send("POST", f"/v1/templates/{_segment(template_id)}/preview", body)
        warnings = json.loads(headers.get("platen-warnings") or "[]")
        return {"content": content, "type": headers["content-type"], "warnings": warnings}

    def layout(self, template_id: str, modifications: Optional[Modifications] = None, **options: Any) -> Dict[str, Any]:
        """Where each layer of a stored template ends up: boxes, font sizes, lines, overflow."""
        body = {"modifications": modifications or {}, **options}
        return self._json("POST", f"/v1/templates/{_segment(template_id)}/layout", body)

    def delete_template(self, template_id: str) -> None:
        self._send("DELETE", f"/v1/templates/{_segment(template_id)}")

    def upload_image(self, body: bytes, media_type: str = "application/octet-stream") -> Dict[str, Any]:
        """Stores an image, at most 15 MiB; its id is an image layer's ``src``."""
        return self._json("POST", "/v1/images", body, media_type, str(uuid.uuid4()))

    def upload_font(self, body: bytes, family: Optional[str] = None) -> Dict[str, Any]:
        """Stores a font, at most 5 MiB; its family, by default as the file names it, is for the account's own templates."""
        query = "" if family is None else "?" + urllib.parse.urlencode({"family": family})
        return self._json("POST", f"/v1/fonts{query}", body, key=str(uuid.uuid4()))

    def account(self) -> Dict[str, Any]:
        """Whose key it is: the simplest way to check one."""
        return self._json("GET", "/v1/account")

    def audit(self, **filters: Any) -> Dict[str, Any]:
        """One page of who did what, ``{"entries", "next"}``, for a key whose scope names the right ``read-audit``.

        Filters: ``actor``, ``action``, ``limit``, ``after``.
        """
        query = urllib.parse.urlencode({name: value for name, value in filters.items() if value is not None})
        return self._json("GET", f"/v1/audit{'?' if query else ''}{query}")

    def secrets(self) -> List[Dict[str, Any]]:
        """What signs render URLs and webhooks, by its last characters.

        This and what follows is for a key whose scope names the right ``manage-secrets``.
        """
        return self._json("GET", "/v1/secrets")["secrets"]

    def secret(self, purpose: Literal["signing", "webhook"]) -> str:
        """The newest secret: what signs render URLs, or webhooks."""
        return self._json("POST", f"/v1/secrets/{purpose}/show")["secret"]

    def rotate_secret(self, purpose: Literal["signing", "webhook"]) -> str:
        """Makes a new secret; signatures of older ones are accepted until they are retired."""
        return self._json("POST", f"/v1/secrets/{purpose}/rotate")["secret"]

    def retire_secrets(self, purpose: Literal["signing", "webhook"]) -> int:
        """Accepts the newest secret alone, and returns how many were retired."""
        return self._json("POST", f"/v1/secrets/{purpose}/retire")["retired"]

    def usage(self) -> Dict[str, Any]:
        """What was used this month."""
        return self._json("GET", "/v1/usage")

    def _create(self, path: str, body: Mapping[str, Any], key: Optional[str]) -> Any:
        answer, headers = self._send("POST", path, body, key=key or str(uuid.uuid4()))
        return {**json.loads(answer), "warnings": json.loads(headers.get("platen-warnings") or "[]")}

    def _download(self, path: str, body: Mapping[str, Any], key: Optional[str]) -> Download:
        content, headers = self._send("POST", path, {**body, "response": "bytes"}, key=key or str(uuid.uuid4()))
        return {
            "id": headers["platen-render-id"],
            "url": headers["platen-render-url"],
            "content": content,
            "type": headers["content-type"],
            "warnings": json.loads(headers.get("platen-warnings") or "[]"),
        }

    def _json(self, method: str, path: str, *args: Any, **options: Any) -> Any:
        return json.loads(self._send(method, path, *args, **options)[0])

    def _send(
        self,
        method: str,
        path: str,
        body: Union[Mapping[str, Any], bytes, None] = None,
        media_type: str = "application/octet-stream",
        key: Optional[str] = None,
        end: Optional[float] = None,
        into: Optional[BinaryIO] = None,
    ) -> Any:
        headers = {"authorization": f"Bearer {self._key}", "user-agent": "platen-python"}
        data = body if isinstance(body, bytes) or body is None else _encoded(body)
        if data is not None:
            headers["content-type"] = media_type if isinstance(body, bytes) else "application/json"
        if key is not None:
            headers["idempotency-key"] = key
        attempt = 0
        while True:
            try:
                request = urllib.request.Request(self._base + path, data, headers, method=method)
                left = self._timeout if end is None else min(self._timeout, max(0.1, end - time.monotonic()))
                with self._opener.open(request, timeout=left) as answer:
                    return answer.read() if into is None else _copy(answer, into), answer.headers
            except urllib.error.HTTPError as answer:
                error = _error_of(answer)
            except (OSError, http.client.HTTPException) as cause:
                error = PlatenError(0, f"The server was not reached: {cause}")
            if method == "DELETE" and attempt > 0 and error.status == 404:
                # It was deleted by an attempt whose answer was lost.
                return b"", {}
            # Each PUT saves a version, so it is sent again only if the server certainly saved none.
            is_safe = method in ("GET", "DELETE") or key is not None or (method == "PUT" and error.status in (429, 503))
            is_hopeful = error.status in (0, 429, 500, 502, 503, 504) and (error.retry_after or 0) <= 60
            # Spread, so that many callers do not come back at once.
            pause = max(0.25 * 2**attempt * random.uniform(0.5, 1.5), error.retry_after or 0)
            is_late = end is not None and time.monotonic() + pause > end
            if not is_safe or not is_hopeful or is_late or attempt >= self._retries:
                raise error
            time.sleep(pause)
            attempt += 1


def sign_url(
    base_url: str,
    secret: str,
    template: str,
    extension: Extension,
    parameters: Optional[Mapping[str, Any]] = None,
    expires: Optional[datetime] = None,
) -> str:
    """A URL that renders a template without a key, for an ``<img>`` or a social preview.

    :param secret: the account's signing secret, as it is written
    :param parameters: layers, or ``layer.property``, by name; besides ``scale`` and ``q``
    :param expires: when it ends, with a time zone; absent: never
    """
    pairs = sorted((_escaped(name), _escaped(_text(value))) for name, value in (parameters or {}).items())
    query = "&".join(f"{name}={value}" for name, value in pairs)
    end = "" if expires is None else str(int(expires.timestamp()))
    message = "\n".join([f"v1.{end}" if end else "v1", template, extension, query])
    signature = hmac.new(secret.encode(), message.encode(), hashlib.sha256).hexdigest()
    sig = f"{end}.{signature}" if end else signature
    path = f"/v1/templates/{_segment(template)}/render.{extension}"
    return f"{base_url.rstrip('/')}{path}?{query}{'&' if query else ''}sig={sig}"


def sign_editor_token(
    account: str,
    secret: str,
    user: str,
    origin: str,
    *,
    template: Optional[str] = None,
    blank: Optional[Mapping[str, Any]] = None,
    user_name: Optional[str] = None,
    rights: Literal["all", "texts-and-pictures"] = "all",
    locked: Sequence[str] = (),
    save: Literal["hand-back", "draft", "publish"] = "hand-back",
    uploads: bool = False,
    expires: Optional[datetime] = None,
    issued: Optional[datetime] = None,
) -> str:
    """A token with which a page of yours shows the editor: a JSON Web Token, signed with HS256.

    :param account: the account's id, ``acc_…``
    :param secret: the account's signing secret, as it is written; keep it on a server
    :param user: your own id of the user, by which their tokens can be revoked
    :param origin: of the page that shows the editor, which the account must allow
    :param template: the template to edit; without one, ``blank`` is the size of an empty canvas
    :param blank: ``{"width": 1200, "height": 630}``, px
    :param locked: names of layers that nobody may change
    :param save: whether the work is only handed to the page, or also saved as the draft, or also published
    :param expires: when it ends, with a time zone, at most seven days from now; absent: in an hour
    """
    issued_at = int(time.time() if issued is None else issued.timestamp())
    claims: Dict[str, Any] = {"iss": account, "aud": "platen-editor", "sub": user, "origin": origin}
    claims.update(iat=issued_at, exp=issued_at + 3600 if expires is None else int(expires.timestamp()))
    claims.update(rights=rights, locked=list(locked), save=save, uploads=uploads)
    given = {"name": user_name, "template": template, "blank": None if blank is None else dict(blank)}
    claims.update({name: value for name, value in given.items() if value is not None})
    message = ".".join(_base64url(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims))
    return f"{message}.{_base64url(hmac.new(secret.encode(), message.encode(), hashlib.sha256).digest())}"


def _base64url(data: bytes) -> str:
    """RFC 4648, section 5, without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def verify_webhook(
    secret: Union[str, Sequence[str]],
    body: Union[str, bytes],
    headers: Mapping[str, str],
    *,
    tolerance: float = 300,
) -> CompletionEvent:
    """What a webhook announced, if it comes from the server that shares the secret.

    By the Standard Webhooks headers where they are there, which protect against replays; else by
    ``x-platen-signature``.

    :param secret: the account's ``whsec_…``; several while one is rotated
    :param body: as it came, before any parsing
    :param tolerance: seconds that ``webhook-timestamp`` may lie from now; 0: any
    :raises WebhookError: when no signature fits, or the delivery is too old
    """
    raw = body.encode() if isinstance(body, str) else body
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not all(secrets):
        # As of a variable that is not set: anybody can sign with an empty key.
        raise WebhookError("The secret is empty.")
    given = {name.lower(): value for name, value in headers.items()}
    if all(name in given for name in ("webhook-id", "webhook-timestamp", "webhook-signature")):
        _check_age(given["webhook-timestamp"], tolerance)
        message = f"{given['webhook-id']}.{given['webhook-timestamp']}.".encode() + raw
        expected = [_standard_signature(one, message) for one in secrets]
        signatures = given["webhook-signature"].split(" ")
    else:
        expected = ["sha256=" + hmac.new(one.encode(), raw, hashlib.sha256).hexdigest() for one in secrets]
        signatures = [given.get("x-platen-signature", "")]
    # Every pair is compared, so the time taken does not tell which one fits.
    if not any([hmac.compare_digest(a.encode(), b.encode()) for a in expected for b in signatures]):
        raise WebhookError("No signature of the webhook fits.")
    return json.loads(raw)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The API never redirects; whoever does must not be handed the key."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _encoded(body: Mapping[str, Any]) -> bytes:
    """:raises TypeError: naming the value that JSON has no form for, and what to write instead"""
    try:
        return json.dumps(body, allow_nan=False).encode()
    except (TypeError, ValueError):
        path, value = _unwritable(body, "", 0) or ("the request", body)
        kind = type(value).__name__
        raise TypeError(
            f"{path}: JSON has no form for {kind} ({value!r:.60}); write it as a string or a number, such as str(value)."
        ) from None


def _unwritable(value: Any, path: str, depth: int) -> Optional[Tuple[str, Any]]:
    """The first value within that JSON cannot hold, with its path."""
    inner: Iterable[Tuple[str, Any]] = ()
    if isinstance(value, dict):
        wrong = next((name for name in value if not isinstance(name, str)), None)
        if wrong is not None:
            return f"{path}, the name {wrong!r:.60}" if path else f"the name {wrong!r:.60}", wrong
        inner = ((f"{path}.{name}" if path else name, each) for name, each in value.items())
    elif isinstance(value, (list, tuple)):
        inner = ((f"{path}[{index}]", each) for index, each in enumerate(value))
    elif value is None or isinstance(value, (str, int)) or (isinstance(value, float) and math.isfinite(value)):
        return None
    else:
        return path, value
    if depth > 100:
        return path, value
    return next((found for found in (_unwritable(each, at, depth + 1) for at, each in inner) if found), None)


def _error_of(answer: urllib.error.HTTPError) -> PlatenError:
    try:
        text = answer.read().decode("utf-8", "replace")
    except (OSError, http.client.HTTPException):
        text = ""
    try:
        sentence = str(json.loads(text)["error"])
    except (ValueError, KeyError, TypeError):
        sentence = text.strip() if text and "<" not in text and len(text) <= 500 else f"The server answered {answer.code}."
    after = answer.headers.get("retry-after")
    return PlatenError(answer.code, sentence, float(after) if after and after.isdigit() else None)


def _copy(answer: Any, file: BinaryIO) -> bytes:
    """Writes an answer to a file, in place of what an earlier attempt wrote."""
    file.seek(0)
    file.truncate()
    shutil.copyfileobj(answer, file)
    if answer.length:
        # Read in pieces, an answer that breaks off is no error of http.client's.
        raise http.client.IncompleteRead(b"", answer.length)
    return b""


def _poll(what: str, timeout: Optional[float], look: Callable[[Optional[float]], Optional[_Found]]) -> _Found:
    """Looks until something is there. ``look`` takes when it is to give up, by the monotonic clock."""
    end = None if timeout is None else time.monotonic() + timeout
    pause = 0.25
    while True:
        found = look(end)
        if found is not None:
            return found
        left = pause if end is None else end - time.monotonic()
        if left <= 0:
            raise PlatenError(0, f"The {what} is not over after {timeout} s.")
        time.sleep(min(pause, left))
        pause = min(pause * 1.5, 5)


def _check_age(timestamp: str, tolerance: float) -> None:
    try:
        age = abs(time.time() - float(timestamp))
    except ValueError:
        raise WebhookError("The webhook-timestamp is not a number.") from None
    if tolerance > 0 and not age <= tolerance:
        raise WebhookError("The webhook is too old, or from the future.")


def _standard_signature(secret: str, message: bytes) -> str:
    """Standard Webhooks 1.0 sign under the bytes that follow ``whsec_`` in base64."""
    try:
        key = base64.b64decode(secret[6:] if secret.startswith("whsec_") else secret)
    except binascii.Error:
        key = b""
    if not key:
        raise WebhookError("The secret is not a whsec_… secret.")
    return "v1," + base64.b64encode(hmac.new(key, message, hashlib.sha256).digest()).decode()


def _text(value: Any) -> str:
    """``True`` as the API writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _escaped(text: str) -> str:
    """RFC 3986: everything but its unreserved characters, as upper-case escapes of UTF-8."""
    return urllib.parse.quote(text, safe="-._~")


def _capture(url: Optional[str], options: Mapping[str, Any]) -> Dict[str, Any]:
    return dict(options) if url is None else {"url": url, **options}


def _segment(text: str) -> str:
    """An id as one segment of a path; ``id@3`` keeps its at sign."""
    return urllib.parse.quote(text, safe="@")
