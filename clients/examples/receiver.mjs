import { createHmac, timingSafeEqual } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";

const { BASE, KEY, CUSTOMER, SECRET, PORT } = process.env;
const key = Buffer.from(SECRET.replace("whsec_", ""), "base64");
let last = existsSync("last-sequence") ? Number(readFileSync("last-sequence")) : 0;
let queue = Promise.resolve(); // one message after another

function isAuthentic({ "webhook-id": id, "webhook-timestamp": sent, "webhook-signature": header = "" }, body) {
  const expected = createHmac("sha256", key).update(`${id}.${sent}.`).update(body).digest();
  const matches = (signature) => signature.length === expected.length && timingSafeEqual(signature, expected);
  const signatures = header.split(" ").filter((signature) => signature.startsWith("v1,"));
  const recent = Math.abs(Date.now() / 1000 - sent) < 300;
  return recent && signatures.some((signature) => matches(Buffer.from(signature.slice(3), "base64")));
}

function processEvent(event) {
  if (event.sequence <= last) return; // a duplicate
  console.log(event.sequence, event.data.id);
  writeFileSync("last-sequence.new", String((last = event.sequence)));
  renameSync("last-sequence.new", "last-sequence");
}

async function receive(event, previous) {
  let next = previous > last && `${BASE}/webhooks/customer/${CUSTOMER}/events?type=submission.submitted&after=${last}`;
  while (next) { // an earlier event has not arrived: read the log
    const response = await fetch(next, { headers: { "X-Api-Key": KEY } });
    const page = await response.json();
    if (!response.ok || (last && page.oldestAvailable > last + 1)) throw new Error(page.code ?? "Events have expired.");
    page.items.filter((missing) => missing.sequence < event.sequence).forEach(processEvent);
    next = page.next;
  }
  processEvent(event);
}

createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts);
  if (!isAuthentic(request.headers, body)) return response.writeHead(401).end();
  queue = queue.then(() => receive(JSON.parse(body), Number(request.headers["formwright-previous"])));
  queue = queue.then(() => response.writeHead(204).end(), (error) => response.writeHead(500).end(String(error)));
}).listen(PORT);
