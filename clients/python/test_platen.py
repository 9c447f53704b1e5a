"""Against a real server, named by PLATEN_URL, PLATEN_KEY, PLATEN_SECRETS_KEY and PLATEN_TEMPLATE, and against the signing vectors."""

import base64
import contextlib
import hmac
import json
import os
import tempfile
import threading
import time
import unittest
import urllib.request
from datetime import date, datetime, timezone
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from unittest import mock
from urllib.parse import parse_qsl

from platen import JobFailedError, Platen, PlatenError, WebhookError, sign_editor_token, sign_url, verify_webhook

VECTORS = json.loads((Path(__file__).parents[2] / "test/corpora/signed-url.json").read_text())
URL = os.environ["PLATEN_URL"]
TEMPLATE = os.environ["PLATEN_TEMPLATE"]
platen = Platen(URL, os.environ["PLATEN_KEY"])


class Server(unittest.TestCase):
    def test_renders_with_what_was_odd(self) -> None:
        made = platen.render(TEMPLATE, {"bo": "#f00"})
        self.assertRegex(made["id"], "^rnd_")
        self.assertIn("box", made["warnings"][0])
        with urllib.request.urlopen(made["url"]) as answer:
            self.assertEqual(answer.read(8), b"\x89PNG\r\n\x1a\n")
        result = platen.batch(TEMPLATE, [{}, {"box": {"x": "no"}}])
        self.assertEqual((result["count"], result["ok"]), (2, 1))

    def test_a_batch_of_whole_renders(self) -> None:
        one = {"template": TEMPLATE, "output": "webp", "metadata": "row 1"}
        first, second = platen.batch_of([one, {"template": "tpl_none", "metadata": "row 2"}])["results"]
        self.assertEqual((first["output"], first["metadata"], second["metadata"]), ("webp", "row 1", "row 2"))

    def test_captures_markup_or_a_page(self) -> None:
        with self.assertRaisesRegex(PlatenError, "URL not allowed"):
            platen.screenshot("http://10.0.0.1/")
        with self.assertRaisesRegex(PlatenError, "url: cannot stand beside html"):
            platen.download_screenshot("https://example.com", html="<h1>Hi</h1>", output="pdf")
        with self.assertRaisesRegex(PlatenError, "html: must be a string"):
            platen.enqueue_screenshot(html=1)

    def test_downloads_a_file(self) -> None:
        made = platen.download(TEMPLATE, {"bo": "#f00"})
        self.assertEqual((made["content"][:8], made["type"]), (b"\x89PNG\r\n\x1a\n", "image/png"))
        self.assertIn(made["id"], made["url"])
        self.assertIn("box", made["warnings"][0])

    def test_previews_and_measures(self) -> None:
        drawn = platen.preview(TEMPLATE, {"bo": "#f00"}, scale=0.5)
        self.assertEqual((drawn["content"][:8], drawn["type"]), (b"\x89PNG\r\n\x1a\n", "image/png"))
        self.assertIn("box", drawn["warnings"][0])
        self.assertIn("box", json.dumps(platen.layout(TEMPLATE)))

    def test_names_the_value_that_json_has_no_form_for(self) -> None:
        for value, said in (
            ({"price": Decimal("9.5")}, r"^modifications\.price: JSON has no form for Decimal \(Decimal\('9\.5'\)\)"),
            ({"when": [{"at": date(2026, 1, 2)}]}, r"^modifications\.when\[0\]\.at: JSON has no form for date"),
            ({"ratio": float("nan")}, r"^modifications\.ratio: JSON has no form for float \(nan\)"),
            ({"a": {1, 2}}, r"^modifications\.a: JSON has no form for set"),
            ({("a", 1): 2}, r"^modifications, the name \('a', 1\): "),
        ):
            with self.assertRaisesRegex(TypeError, said):
                platen.render(TEMPLATE, value)

    def test_lists_and_deletes_renders(self) -> None:
        made = platen.render(TEMPLATE, metadata={"order": "A-1"})
        listed = platen.renders(limit=200, status="done")["renders"]
        self.assertIn((made["id"], {"order": "A-1"}), [(one["id"], one["metadata"]) for one in listed])
        platen.delete_render(made["id"])
        with self.assertRaises(PlatenError):
            platen.job(made["id"])

    def test_secrets_take_a_right(self) -> None:
        client = Platen(URL, os.environ["PLATEN_SECRETS_KEY"])
        shown = client.secret("webhook")
        self.assertIn(shown[-4:], [one["last_four"] for one in client.secrets()])
        self.assertNotEqual(client.rotate_secret("webhook"), shown)
        self.assertEqual(client.retire_secrets("webhook"), 1)
        with self.assertRaises(PlatenError):
            platen.secrets()

    def test_waits_for_a_job(self) -> None:
        job = platen.enqueue(TEMPLATE, output="pdf")
        self.assertEqual(platen.wait(job, timeout=30)["output"], "pdf")
        gone = {"name": "Gone", "width": 4, "height": 4, "layers": [{"name": "p", "type": "image", "src": "img_gone"}]}
        broken = platen.create_template(gone)["id"]
        with self.assertRaises(JobFailedError):
            platen.wait(platen.enqueue(broken), timeout=30)
        platen.delete_template(broken)

    def test_merges_a_batch_into_one_file(self) -> None:
        batch = platen.create_batch(TEMPLATE, [{"box": "#f00"}, {}], name="Two", output="pdf")
        over = platen.wait_for_batch(batch, timeout=30)
        self.assertEqual((over["merge"], over["count"], over["done"], over["errors"]), ("pdf", 2, 2, []))
        self.assertEqual(platen.read_batch(batch)["id"], batch)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "two.pdf"
            platen.download_batch(batch, path)
            self.assertEqual(path.read_bytes()[:5], b"%PDF-")
            with self.assertRaises(PlatenError):
                platen.download_batch("blk_none", path.with_name("none.pdf"))
            self.assertEqual(os.listdir(folder), ["two.pdf"])

    def test_templates_and_uploads(self) -> None:
        document = platen.template(TEMPLATE)
        self.assertGreater(platen.replace_template(TEMPLATE, document)["version"], document["version"])
        self.assertIn(TEMPLATE, [one["id"] for one in platen.templates()])
        with urllib.request.urlopen(platen.render(TEMPLATE)["url"]) as answer:
            self.assertEqual(platen.upload_image(answer.read())["format"], "png")
        self.assertIn("plan", platen.account())
        self.assertIn("used", platen.usage())

    def test_the_servers_own_sentence_is_the_errors(self) -> None:
        with self.assertRaisesRegex(PlatenError, "modifications.box.opacity"):
            platen.render(TEMPLATE, {"box": {"opacity": 2}})
        with self.assertRaises(PlatenError) as caught:
            Platen(URL, "plt_live_x").account()
        self.assertEqual(caught.exception.status, 401)


class Retries(unittest.TestCase):
    def test_asks_again_under_the_same_key(self) -> None:
        keys = []

        class Failing(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                keys.append(self.headers["idempotency-key"])
                self.rfile.read(int(self.headers["content-length"]))
                self.send_response(503 if len(keys) == 1 else 200)
                self.end_headers()
                self.wfile.write(b'{"id": "rnd_1"}')

            def log_message(self, *_: object) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Failing)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        made = Platen(f"http://127.0.0.1:{server.server_port}", "plt_test_x").render("tpl_1")
        server.shutdown()
        server.server_close()
        self.assertEqual(made["id"], "rnd_1")
        self.assertEqual((len(keys), len(set(keys))), (2, 1))

    def test_a_file_that_breaks_off_is_asked_for_again(self) -> None:
        asked = []

        class Breaking(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                self.send_response(200)
                self.send_header("content-length", "4")
                self.end_headers()
                self.wfile.write(b"%P" if len(asked) == 1 else b"%PDF")

            def log_message(self, *_: object) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Breaking)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "all.pdf"
            Platen(f"http://127.0.0.1:{server.server_port}", "plt_test_x").download_batch("blk_1", path)
            self.assertEqual((path.read_bytes(), asked), (b"%PDF", ["/v1/batches/blk_1/file"] * 2))
        server.shutdown()
        server.server_close()

    def test_a_job_is_waited_for_as_long_as_asked(self) -> None:
        for is_silent in (False, True):

            class Slow(BaseHTTPRequestHandler):
                def do_GET(self) -> None:
                    if is_silent:
                        time.sleep(4)
                    self.send_response(200)
                    self.end_headers()
                    self.wfile.write(b'{"status": "processing", "result": null}')

                def handle_one_request(self) -> None:
                    with contextlib.suppress(OSError):
                        super().handle_one_request()

                def log_message(self, *_: object) -> None:
                    pass

            server = HTTPServer(("127.0.0.1", 0), Slow)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            start = time.monotonic()
            with self.assertRaises(PlatenError) as caught:
                Platen(f"http://127.0.0.1:{server.server_port}", "plt_test_x", timeout=5).wait("job_1", timeout=1)
            took = time.monotonic() - start
            server.shutdown()
            server.server_close()
            self.assertEqual(caught.exception.status, 0)
            self.assertGreater(took, 0.99)
            self.assertLess(took, 3)

    def test_what_may_have_been_done_is_not_done_twice(self) -> None:
        asked = []

        class Losing(BaseHTTPRequestHandler):
            """Ends in the middle of its first answer to each method; a second DELETE finds nothing."""

            def answer(self) -> None:
                asked.append(self.command)
                self.rfile.read(int(self.headers["content-length"] or 0))
                is_first = asked.count(self.command) == 1
                self.send_response(404 if self.command == "DELETE" and not is_first else 200)
                self.send_header("content-length", "100" if is_first else "14")
                self.end_headers()
                self.wfile.write(b'{"plan":"pro"}')

            do_GET = do_PUT = do_DELETE = answer

            def log_message(self, *_: object) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Losing)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        client = Platen(f"http://127.0.0.1:{server.server_port}", "plt_test_x")
        self.assertEqual(client.account(), {"plan": "pro"})
        with self.assertRaises(PlatenError) as caught:
            client.replace_template("tpl_1", {})
        client.delete_template("tpl_1")
        server.shutdown()
        server.server_close()
        self.assertEqual(caught.exception.status, 0)
        self.assertEqual(asked, ["GET", "GET", "PUT", "DELETE", "DELETE"])


class Signatures(unittest.TestCase):
    def test_urls_are_those_of_the_vectors(self) -> None:
        for vector in VECTORS["accept"]:
            end, dot, _ = vector["sig"].partition(".")
            expires = datetime.fromtimestamp(int(end), timezone.utc) if dot else None
            parameters = dict(parse_qsl(vector["canon"].replace("+", "%2B"), keep_blank_values=True))
            url = sign_url(
                "https://x.example/", VECTORS["signing_secret"], vector["template"], vector["ext"], parameters, expires
            )
            self.assertTrue(url.endswith(f"sig={vector['sig']}"), vector["name"])

    def test_an_editor_token_is_a_json_web_token_of_these_claims(self) -> None:
        at = datetime.fromtimestamp(1_700_000_000, timezone.utc)
        token = sign_editor_token("acc_1", "sgn_x", "user-1", "https://a.example", template="tpl_1", issued=at)
        head, payload, signature = token.split(".")
        expected = hmac.new(b"sgn_x", f"{head}.{payload}".encode(), "sha256").digest()
        self.assertEqual(base64.urlsafe_b64decode(signature + "="), expected)
        claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        self.assertEqual(claims.pop("exp") - claims.pop("iat"), 3600)
        self.assertEqual(
            claims,
            {
                **{"iss": "acc_1", "aud": "platen-editor", "sub": "user-1", "origin": "https://a.example"},
                **{"template": "tpl_1", "rights": "all", "locked": [], "save": "hand-back", "uploads": False},
            },
        )

    def test_a_webhook_is_believed_by_either_header_and_by_nothing_less(self) -> None:
        vector = dict(VECTORS["webhook"])
        secret, body = vector["secret"], vector["body"]
        ours = {"X-Platen-Signature": vector["x-platen-signature"]}
        with mock.patch("time.time", return_value=1_767_225_600.0):
            self.assertEqual(verify_webhook(secret, body, vector)["id"], "job_1")
            self.assertEqual(verify_webhook(["whsec_AAAA", secret], body, ours)["id"], "job_1")
            for wrong in ((body + " ", vector), (body + " ", ours), (body, {**vector, "webhook-id": "m"}), (body, {})):
                with self.assertRaises(WebhookError):
                    verify_webhook(secret, *wrong)
        with self.assertRaisesRegex(WebhookError, "too old"):
            verify_webhook(secret, body, vector)

    def test_a_secret_that_is_not_set_believes_nothing(self) -> None:
        def signature(message: str) -> bytes:
            return hmac.new(b"", message.encode(), "sha256").digest()

        standard = {
            "webhook-id": "m",
            "webhook-timestamp": "1",
            "webhook-signature": "v1," + base64.b64encode(signature("m.1.{}")).decode(),
        }
        for headers in (standard, {"x-platen-signature": "sha256=" + signature("{}").hex()}):
            for secret in ("", "whsec_"):
                with self.assertRaises(WebhookError):
                    verify_webhook(secret, "{}", headers, tolerance=0)


if __name__ == "__main__":
    unittest.main()
