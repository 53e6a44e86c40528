// Takes from the form library what our forms can show. Its two modules register all kinds of questions when they are
// loaded, so a bundler must keep all of them: a third of the library, which no form of ours ever shows.
//
// Top-level statements are kept or left out as they are, never changed. A statement that registers a kind of question is
// left out, or loaded later; statements that belong to a class (decorators, static values) follow their class; all other
// statements stay, and so do the declarations that they refer to.

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "acorn";

/** Blocks of styles of kinds of questions, and of parts of a survey, that no form has. */
const UNUSED_STYLES = new RegExp(
  `[.](?:sd|sv)[-_](?:${[
    ...["table", "matrix", "matrixdynamic", "file", "image", "imagepicker", "imagemap", "signaturepad", "multipletext"],
    ...[
      "ranking",
      "drag",
      "button-group",
      "timer",
      "progress",
      "cover",
      "header",
      "summary",
      "breadcrumbs",
      "notifier",
    ],
  ].join("|")})(?![a-z])`,
);
const MODULES = {
  "survey-js-ui": "survey-js-ui/fesm/survey-js-ui.mjs",
  "survey-core": "survey-core/fesm/survey-core.mjs",
};
/** Kinds of questions, and of what they contain, that no form has: see `web/fields` and `web/fill/surveyjs.py`. */
const UNUSED = [
  ...["matrix", "matrixbase", "matrixcolumn", "matrixdropdown", "matrixdropdownbase", "matrixdropdowncolumn"],
  ...["matrixdynamic", "multipletext", "multipletextitem", "signaturepad", "file", "image", "imagepicker", "imagemap"],
  ...["imageitemvalue", "imagemaparea", "buttongroup", "buttongroupitemvalue", "ranking", "expression", "flowpanel"],
];
/** Kinds of questions that only some forms have. */
const LATER = ["paneldynamic", "dropdown", "tagbox", "rating", "ratingitem", "slider", "sliderlabel", "boolean"];

const REGISTRATION =
  /^(?:Serializer\.(?:addClass|getProperty)|(?:React)?QuestionFactory\.Instance\.registerQuestion)\("(\w+)"/;
const OWNED = /^(?:__decorate\(\[[\s\S]*\], |(?=\w+(?:\.\w+)+ = ))(\w+)/;

/**
 * Return the modules of the library by name, as their text: `survey-core`, `survey-js-ui`, and of each of them a module
 * `/always` with what all forms need, and `/later` with the rest. `words` are those of the scripts that import them.
 */
export async function splitSurveyLibrary(packages, words) {
  const paths = Object.values(MODULES).map((name) => join(packages, name));
  const texts = await Promise.all([fileURLToPath(import.meta.url), ...paths].map((path) => readFile(path, "utf-8")));
  const exported = new Set(
    texts
      .flatMap((text) => text.match(/^export \{[^}]*\}/gm) ?? [])
      .join()
      .match(/\w+/g),
  );
  const used = new Set([...words].filter((word) => exported.has(word)));
  const key = createHash("sha256")
    .update([...used].sort().join())
    .update(texts.join());
  // Reading it takes longer than everything else, and it hardly ever changes.
  const cache = join(packages, ".cache", `survey-${key.digest("hex").slice(0, 16)}.json`);
  const known = await readFile(cache, "utf-8").catch(() => null);
  if (known) return JSON.parse(known);
  const ui = await splitModule(join(packages, MODULES["survey-js-ui"]), "survey-js-ui", used);
  const wanted = new Set([...used, "setupLocale", ...ui.imported]);
  const core = await splitModule(join(packages, MODULES["survey-core"]), "survey-core", wanted);
  const modules = { ...ui.modules, ...core.modules };
  await mkdir(join(packages, ".cache"), { recursive: true });
  await writeFile(cache, JSON.stringify(modules));
  return modules;
}

/**
 * Split a module of the library into the text of `always` and of `later`, which imports the other from the module
 * `name`. `wanted` are the names that somebody imports.
 */
async function splitModule(path, name, wanted) {
  const text = await readFile(path, "utf-8");
  const statements = parse(text, { ecmaVersion: 2022, sourceType: "module" }).body.map((node) => describe(node, text));
  const declared = new Map(statements.flatMap((one) => one.names.map((known) => [known, one])));
  const owned = groupByOwner(statements.filter(({ owner }) => declared.has(owner)));
  const specifiers = statements.flatMap(({ node }) => (node.type === "ExportNamedDeclaration" ? node.specifiers : []));
  const exported = new Map(specifiers.map((one) => [one.exported.name, one.local.name]));
  const missing = [...UNUSED, ...LATER].filter(
    (kind) => name === "survey-core" && !statements.some((one) => one.kind === kind),
  );
  if (missing.length) throw new Error(`${name} does not register ${missing.join(", ")}`);

  const free = statements.filter(({ isFree, owner }) => isFree && !declared.has(owner));
  const roots = [...wanted].map((known) => declared.get(exported.get(known)));
  const always = reach(
    [...roots, ...free.filter(({ kind }) => ![...UNUSED, ...LATER].includes(kind))],
    declared,
    owned,
  );
  const all = reach([...always, ...free.filter(({ kind }) => !UNUSED.includes(kind))], declared, owned);
  const later = new Set([...all].filter((one) => !always.has(one)));

  function write(part, key) {
    const used = new Set([...part].flatMap(({ references }) => [...references]));
    const imports = statements.flatMap(({ node }) =>
      node.type === "ImportDeclaration" ? [writeImport(node, used)] : [],
    );
    const names = [...part].flatMap((one) => one.names);
    const aliases = [...exported].filter(([known, local]) => known !== local && names.includes(local));
    const list = [...names, ...aliases.map(([known, local]) => `${local} as ${known}`)].join(", ");
    const body = statements.filter((one) => part.has(one)).map((one) => one.text);
    return [...imports.map((line) => line.replace("KEY", key)), ...body, `export { ${list} };`].join("\n");
  }

  function writeImport({ specifiers, source }, used) {
    const names = specifiers
      .filter(({ local }) => used.has(local.name))
      .map(({ imported, local }) => `${imported.name} as ${local.name}`);
    return `import { ${names.join(", ")} } from "${source.value}/KEY";`;
  }

  const names = [...always].flatMap((one) => one.names);
  const used = new Set([...later].flatMap((one) => [...one.references]));
  const inner = `import { ${names.filter((known) => used.has(known)).join(", ")} } from "${name}/always";`;
  const modules = {
    [`${name}/always`]: write(always, "always"),
    [`${name}/later`]: `${inner}\nexport * from "${name}/always";\n${write(later, "later")}`,
    // What others see, so that a namespace has no more names than that.
    [name]: `export { ${[...exported]
      .filter(([known, local]) => wanted.has(known) && names.includes(local))
      .map(([known]) => known)
      .join(", ")} } from "${name}/always";`,
  };
  return { modules, imported: importedNames(statements, all) };
}

/** The names that these statements import. */
function importedNames(statements, kept) {
  const used = new Set([...kept].flatMap(({ references }) => [...references]));
  const specifiers = statements.flatMap(({ node }) => (node.type === "ImportDeclaration" ? node.specifiers : []));
  return specifiers.filter(({ local }) => used.has(local.name)).map(({ imported }) => imported.name);
}

function describe(node, source) {
  const text = source.slice(node.start, node.end);
  const isModule = /^(Import|Export)/.test(node.type);
  const names = isModule ? [] : declaredNames(node);
  const isFree = !isModule && !names.length;
  const kind = isFree ? REGISTRATION.exec(text)?.[1] : undefined;
  const owner = isFree && !kind ? OWNED.exec(text)?.[1] : undefined;
  return { node, text, names, kind, owner, isFree, references: isModule ? new Set() : identifiers(node) };
}

function declaredNames(node) {
  if (node.type === "VariableDeclaration") return node.declarations.flatMap(({ id }) => [...identifiers(id)]);
  return node.id ? [node.id.name] : [];
}

/** All that these statements need. */
function reach(first, declared, owned) {
  const found = new Set();
  const left = [...first];
  while (left.length) {
    const one = left.pop();
    if (!one || found.has(one)) continue;
    found.add(one);
    for (const name of one.references) left.push(declared.get(name));
    for (const name of one.names) left.push(...(owned.get(name) ?? []));
  }
  return found;
}

/** The names that may refer to top-level declarations: also local variables of the same name, which does no harm. */
function identifiers(node, found = new Set()) {
  if (node.type === "Identifier") found.add(node.name);
  for (const [key, value] of Object.entries(node)) {
    if (!value || typeof value !== "object") continue;
    // In `a.name` and `{ name: … }`, the name is not a reference.
    const isName = (key === "property" || (key === "key" && !node.shorthand)) && !node.computed;
    if (!isName) for (const child of [value].flat()) if (child) identifiers(child, found);
  }
  return found;
}

function groupByOwner(statements) {
  const groups = new Map();
  for (const one of statements) groups.set(one.owner, [...(groups.get(one.owner) ?? []), one]);
  return groups;
}

/** Leave out the rules of a style sheet all of whose selectors name something that no form has. */
export function trimStyles(css) {
  let [kept, start] = ["", 0];
  while (start < css.length) {
    const open = css.indexOf("{", start);
    if (open < 0) break;
    const end = endOfBlock(css, open);
    const selector = css
      .slice(start, open)
      .trim()
      .replace(/:not\([^)]*\)/g, "");
    const isUnused = !selector.startsWith("@") && selector.split(",").every((one) => UNUSED_STYLES.test(one));
    if (!isUnused) kept += css.slice(start, end);
    start = end;
  }
  return kept;
}

function endOfBlock(css, open) {
  let depth = 0;
  for (let index = open; index < css.length; index++) {
    if (css[index] === "{") depth++;
    else if (css[index] === "}" && !--depth) return index + 1;
  }
  return css.length;
}
