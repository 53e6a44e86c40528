import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from formwright_client import BadSignature, Client, FilePlace, Receiver


def deal_with(event):
    print(event["sequence"], event["data"]["id"], flush=True)


client = Client(os.environ["BASE"], os.environ["KEY"])
place, types = FilePlace("last-sequence"), ["submission.submitted"]
receiver = Receiver(client, os.environ["SECRET"], place, deal_with, types=types)


class Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            receiver.take(self.headers, body)
            self.send_response(204)
        except BadSignature:
            self.send_response(401)
        self.end_headers()


ThreadingHTTPServer(("", int(os.environ["PORT"])), Hook).serve_forever()
