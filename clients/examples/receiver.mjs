import { createHmac, timingSafeEqual } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";

const { BASE, KEY, CUSTOMER, SECRET, PORT } = process.env;
const key = Buffer.from(SECRET.replace("whsec_", ""), "base64");
let last = existsSync("last-sequence") ? Number(readFileSync("last-sequence")) : 0;
let before = Promise.resolve(); // one message after another

function verified({ "webhook-id": id, "webhook-timestamp": sent, "webhook-signature": given = "" }, body) {
  const mine = createHmac("sha256", key).update(`${id}.${sent}.`).update(body).digest();
  const fits = (one) => one.length === mine.length && timingSafeEqual(one, mine);
  const signatures = given.split(" ").filter((one) => one.startsWith("v1,"));
  return Math.abs(Date.now() / 1000 - sent) < 300 && signatures.some((one) => fits(Buffer.from(one.slice(3), "base64")));
}

function dealWith(event) {
  if (event.sequence <= last) return; // it came before
  console.log(event.sequence, event.data.id);
  writeFileSync("last-sequence.new", String((last = event.sequence)));
  renameSync("last-sequence.new", "last-sequence");
}

async function take(event, previous) {
  let next = previous > last && `${BASE}/webhooks/customer/${CUSTOMER}/events?type=submission.submitted&after=${last}`;
  while (next) { // one before it has not arrived: read the log
    const answer = await fetch(next, { headers: { "X-Api-Key": KEY } });
    const page = await answer.json();
    if (!answer.ok || (last && page.oldestAvailable > last + 1)) throw new Error(page.code ?? "The log begins later.");
    page.items.filter((one) => one.sequence < event.sequence).forEach(dealWith);
    next = page.next;
  }
  dealWith(event);
}

createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts);
  if (!verified(request.headers, body)) return response.writeHead(401).end();
  before = before.then(() => take(JSON.parse(body), Number(request.headers["formwright-previous"])));
  before = before.then(() => response.writeHead(204).end(), (error) => response.writeHead(500).end(String(error)));
}).listen(PORT);
