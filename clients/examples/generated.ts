import createClient from "openapi-fetch";
import type { paths } from "./formwright.js";

declare const process: { env: Record<string, string> }; // or install @types/node
const { BASE, KEY } = process.env;
const api = createClient<paths>({
  baseUrl: BASE.replace("/api/v1.0", ""),
  headers: { "X-Api-Key": KEY },
  querySerializer: { object: { style: "form", explode: true } }, // for filters on answers
});
const SUBMISSIONS = "/api/v1.0/customers/{customerId}/forms/{formId}/submissions";

const form = await api.POST("/api/v1.0/forms", {
  body: {
    name: "Visit",
    fields: [{ type: "text", name: "site", label: "Site" }, { type: "photo", name: "seen", label: "Photo" }],
    publish: true,
  },
});
if (!form.data) throw new Error(form.error.code);
const path = { customerId: form.data.customerId, formId: form.data.id };
for (const site of ["Harbour", "Quay", "Pier"]) {
  const header = { "Idempotency-Key": `visit-${site}` };
  const { error } = await api.POST(SUBMISSIONS, { params: { path, header }, body: { data: { site } } });
  if (error) throw new Error(error.code);
}

const sites: unknown[] = [];
let cursor: string | undefined;
do {
  const { data, error } = await api.GET("/api/v1.0/submissions", {
    params: { query: { formId: [path.formId], limit: 2, cursor } },
  });
  if (error) throw new Error(error.code);
  sites.push(...data.items.map((item) => item.data["site"]));
  cursor = data.next ? (new URL(data.next).searchParams.get("cursor") ?? undefined) : undefined;
} while (cursor);
console.log(sites.join(" "));

const found = await api.GET("/api/v1.0/submissions", {
  params: { query: { formId: [path.formId], answers: { "answers.site[contains]": "a", "answers.site[ne]": "Quay" } } },
});
console.log(found.data?.items.map((item) => item.data["site"]).join(" "));

const rejected = await api.POST(SUBMISSIONS, { params: { path }, body: { data: { site: 4 } } });
console.log(rejected.error?.code, rejected.error?.errors?.map((detail) => `${detail.pointer} ${detail.code}`).join());
