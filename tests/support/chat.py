"""A real HTTP server that speaks chat completions and answers with what a test recorded."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def kept(place, said, *, predicate="likes", kind="preference", **more):
    """An item about the fragment at a place: worth keeping."""
    item = {"id": place, "keep": True, "kind": kind, "subject": "user", "predicate": predicate}
    item |= {"object": said, "text": f"User {predicate} {said}", "importance": 0.5, "confidence": 0.8}
    return item | {"entities": []} | more


def dropped(*places):
    """Items about fragments that are not."""
    return [{"id": place, "keep": False} for place in places]


def answer(*items):
    """A whole answer as a model writes it."""
    return json.dumps({"items": list(items)}, ensure_ascii=False)


class ChatServer:
    """Answers each request with the next recorded answer; the last one is repeated.

    An answer is a text, a status with or without headers, `bytes` for a raw body, or `"hang"`.
    """

    def __init__(self):
        self.answers = []
        self.usage = {"prompt_tokens": 100, "completion_tokens": 40}
        self.asked = []
        self.headers = []
        self.paths = []
        self.released = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()

    def close(self):
        self.released.set()
        self._http.shutdown()
        self._http.server_close()

    def prompts(self):
        return [body["messages"][1]["content"] for body in self.asked]

    def next(self, body):
        chosen = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return chosen(body) if callable(chosen) else chosen

    def _handler(server):  # noqa: N805
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.asked.append(body)
                server.headers.append(dict(self.headers))
                server.paths.append(self.path)
                chosen = server.next(body)
                if chosen == "hang":
                    server.released.wait(30)
                    self.close_connection = True
                    return
                status, more = 200, {}
                if isinstance(chosen, int):
                    chosen = (chosen, {}, "no")
                if isinstance(chosen, tuple):
                    status, more, chosen = chosen
                    content = json.dumps({"error": {"message": chosen}}).encode()
                elif isinstance(chosen, bytes):
                    content = chosen
                else:
                    document = {"choices": [{"message": {"role": "assistant", "content": chosen}}]}
                    content = json.dumps(
                        document | ({"usage": server.usage} if server.usage else {})
                    ).encode()
                self.send_response(status)
                more = {"Content-Length": str(len(content))} | more
                for name, value in more.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        return Handler
