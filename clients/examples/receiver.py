import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from formwright_client import Client, FileCheckpoint, InvalidSignatureError, WebhookReceiver


def process(event):
    print(event["sequence"], event["data"]["id"], flush=True)


client = Client(os.environ["BASE"], os.environ["KEY"])
checkpoint, types = FileCheckpoint("last-sequence"), ["submission.submitted"]
receiver = WebhookReceiver(client, os.environ["SECRET"], checkpoint, process, types=types)


class Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            receiver.receive(self.headers, body)
            self.send_response(204)
        except InvalidSignatureError:
            self.send_response(401)
        self.end_headers()


ThreadingHTTPServer(("", int(os.environ["PORT"])), Hook).serve_forever()
