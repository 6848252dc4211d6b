"""A service of scripted answers on this machine, for tests without a network."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from gammawall import Client


class StandIn:
    """Answers requests in the order of `answers`, each (status, headers, body); remembers what was asked.

    A body that is a tuple is sent in these parts; where the last is None, the connection is closed before its end.
    """

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                length = int(self.headers.get("content-length") or 0)
                content = self.rfile.read(length)
                outer.asked.append((self.command, self.path, dict(self.headers), content))
                status, headers, body = outer.answers.pop(0) if len(outer.answers) > 1 else outer.answers[0]
                if isinstance(body, tuple):
                    return self.send_parts(status, headers, body)
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"content-type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def send_parts(self, status, headers, parts):
                self.send_response(status)
                for name, value in {"content-type": "application/json", **headers, "transfer-encoding": "chunked"}.items():
                    self.send_header(name, value)
                self.end_headers()
                for part in parts:
                    if part is None:
                        self.close_connection = True
                        return
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
                self.wfile.write(b"0\r\n\r\n")

            do_POST = do_GET
            do_DELETE = do_GET

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.clients = []
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def client(self, **options):
        """A client of this stand-in, closed with it."""
        made = Client(self.url, "a key", replay_url=self.url + "/past", **options)
        self.clients.append(made)
        return made

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for client in self.clients:
            client.close()
        self.server.shutdown()
        self.server.server_close()
