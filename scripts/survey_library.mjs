// Takes from the form library what our forms can show. Its two modules register all kinds of questions when they are
// loaded, so a bundler must keep all of them: half of the library, which no form of ours ever shows.
//
// Whole top-level statements and whole members of classes are kept or left out, never changed. A statement that registers
// a kind of question is left out, or loaded later; statements that belong to a class (decorators, static values) follow
// their class; all other statements stay, and so do the declarations that they refer to. A method or property of a class
// stays if any code that stays, of the library or ours, contains its name, even in a text. `survey_parts.mjs` has lists.

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "acorn";
import { ABSENT, ICONS, LATER, UNUSED, UNUSED_STATEMENTS, UNUSED_STYLES } from "./survey_parts.mjs";

const MODULES = {
  "survey-js-ui": "survey-js-ui/fesm/survey-js-ui.mjs",
  "survey-core": "survey-core/fesm/survey-core.mjs",
};

const REGISTRATION = new RegExp(
  `^(?:${[
    String.raw`Serializer\.(?:addClass|getProperty)`,
    String.raw`(?:React)?(?:Question|Element)Factory\.Instance\.register(?:Question|Element)`,
    String.raw`RendererFactory\.Instance\.registerRenderer`,
  ].join("|")})\\("([\\w-]+)"`,
);
const OWNED = /^(?:__decorate\(\[[\s\S]*\], |(?=\w+(?:\.\w+)+ = ))(\w+)/;

/**
 * Return the modules of the library by name, as their text: `survey-core`, `survey-js-ui`, and of each of them a module
 * `/always` with what all forms need, and `/later` with the rest. `words` are those of the scripts that import them.
 */
export async function splitSurveyLibrary(packages, words) {
  const paths = Object.values(MODULES).map((name) => join(packages, name));
  const own = ["survey_library.mjs", "survey_parts.mjs"].map((name) => join(import.meta.dirname, name));
  const texts = await Promise.all([...paths, ...own].map((path) => readFile(path, "utf-8")));
  const known = new Set(texts.join("\n").match(/\w+/g));
  const named = [...words].filter((word) => known.has(word)).sort();
  const key = createHash("sha256").update(named.join()).update(texts.join()).digest("hex").slice(0, 16);
  // Reading it takes longer than everything else, and it hardly ever changes.
  const cache = join(packages, ".cache", `survey-${key}.json`);
  const cached = await readFile(cache, "utf-8").catch(() => null);
  if (cached) return JSON.parse(cached);
  const modules = await split(packages, texts, named);
  await mkdir(join(packages, ".cache"), { recursive: true });
  await writeFile(cache, JSON.stringify(modules));
  return modules;
}

async function split(packages, [uiText, coreText], words) {
  const lists = `${uiText}\n${coreText}`.match(/^export \{[^}]*\}/gm);
  const exported = new Set(lists.join().match(/\w+/g));
  const used = new Set(words.filter((word) => exported.has(word)));
  const ui = splitModule(uiText, "survey-js-ui", used);
  const core = splitModule(coreText, "survey-core", new Set([...used, "setupLocale", ...ui.imported]), {
    names: ui.importedLater,
    words: [...words, ...ui.words],
  });
  const { icons } = await import(join(packages, "survey-core/fesm/icons/iconsV2.mjs"));
  const found = new Set([...ui.found, ...core.found, ...Object.keys(icons)]);
  const missing = [...UNUSED, ...LATER, ...ABSENT, ...UNUSED_STATEMENTS, ...ICONS].filter((one) => !found.has(one));
  if (missing.length) throw new Error(`The form library does not have ${missing.join(", ")}`);
  const shown = Object.fromEntries(ICONS.map((name) => [name, icons[name]]));
  return { ...ui.modules, ...core.modules, "survey-core/icons": `export const ICONS = ${JSON.stringify(shown)};` };
}

/**
 * Split a module of the library into the text of `always` and of `later`, which imports the other from the module
 * `name`. `wanted` are the names that somebody imports. With `named`, further names that are imported later, and the
 * words of the code that uses the module, its classes keep only the members that some code names.
 */
function splitModule(text, name, wanted, named) {
  const statements = parse(text, { ecmaVersion: 2022, sourceType: "module" }).body.map((node) =>
    describe(node, text, Boolean(named)),
  );
  const declared = new Map(statements.flatMap((one) => one.names.map((known) => [known, one])));
  const owned = groupByOwner(statements.filter(({ owner }) => declared.has(owner) && !ABSENT.has(owner)));
  const specifiers = statements.flatMap(({ node }) => (node.type === "ExportNamedDeclaration" ? node.specifiers : []));
  const exported = new Map(specifiers.map((one) => [one.exported.name, one.local.name]));
  const unusedAs = ({ node }) => UNUSED_STATEMENTS.find((beginning) => text.startsWith(beginning, node.start));
  const found = statements.flatMap((one) => [...one.names, one.kind, one.isFree && unusedAs(one)]);

  const free = statements.filter((one) => one.isFree && !declared.has(one.owner) && !unusedAs(one));
  const find = (roots, unused, known) => {
    const needed = [...roots].map((one) => declared.get(exported.get(one)));
    return reach([...needed, ...free.filter(({ kind }) => !unused.includes(kind))], declared, owned, known);
  };
  const all = find([...wanted, ...(named?.names ?? [])], UNUSED, named?.words ?? []);
  const always = find(wanted, [...UNUSED, ...LATER], all.words);
  const later = { parts: new Set([...all.parts].filter((one) => !always.parts.has(one))) };

  function write({ parts }, key) {
    const used = new Set([...parts].flatMap(({ references }) => [...references]));
    const imports = statements.flatMap(({ node }) =>
      node.type === "ImportDeclaration" ? [writeImport(node, used)] : [],
    );
    const names = [...parts].flatMap((one) => one.names);
    const aliases = [...exported].filter(([known, local]) => known !== local && names.includes(local));
    const list = [...names, ...aliases.map(([known, local]) => `${local} as ${known}`)].join(", ");
    const body = statements.filter((one) => parts.has(one)).map((one) => writeStatement(one, parts));
    return [...imports.map((line) => line.replace("KEY", key)), ...body, `export { ${list} };`].join("\n");
  }

  /** The text of a statement without the members that are left out. */
  function writeStatement({ node, names, members }, parts) {
    if (ABSENT.has(names[0])) return `class ${names[0]} { constructor() { throw Error("${names[0]}"); } }`;
    let [written, start] = ["", node.start];
    for (const member of members) {
      if (!parts.has(member)) [written, start] = [written + text.slice(start, member.node.start), member.node.end];
    }
    return written + text.slice(start, node.end);
  }

  function writeImport({ specifiers, source }, used) {
    const names = specifiers
      .filter(({ local }) => used.has(local.name))
      .map(({ imported, local }) => `${imported.name} as ${local.name}`);
    return `import { ${names.join(", ")} } from "${source.value}/KEY";`;
  }

  const names = [...always.parts].flatMap((one) => one.names);
  const used = new Set([...later.parts].flatMap((one) => [...one.references]));
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
  const imported = importedNames(statements, always.parts);
  return { modules, imported, importedLater: importedNames(statements, later.parts), words: all.words, found };
}

/** The names that these statements import. */
function importedNames(statements, kept) {
  const used = new Set([...kept].flatMap(({ references }) => [...references]));
  const specifiers = statements.flatMap(({ node }) => (node.type === "ImportDeclaration" ? node.specifiers : []));
  return specifiers.filter(({ local }) => used.has(local.name)).map(({ imported }) => imported.name);
}

function describe(node, source, hasMembers) {
  const text = source.slice(node.start, node.end);
  const isModule = /^(Import|Export)/.test(node.type);
  const names = isModule ? [] : declaredNames(node);
  const isFree = !isModule && !names.length;
  const kind = isFree ? REGISTRATION.exec(text)?.[1] : undefined;
  const owner = isFree && !kind ? OWNED.exec(text)?.[1] : undefined;
  const [references, words] = [new Set(), new Set()];
  const isAbsent = names.length === 1 && ABSENT.has(names[0]);
  const members = hasMembers && node.type === "ClassDeclaration" ? node.body.body.filter(isNamedMember) : [];
  if (!isModule && !isAbsent) collectNames(node, references, words, new Set(members));
  const decorated = owner && /\.prototype, "(\w+)"/.exec(text)?.[1];
  return {
    ...{ node, names, kind, owner, isFree, references, words },
    waitsFor: hasMembers && decorated ? [decorated] : [],
    members: members.map(describeMember),
  };
}

const isNamedMember = ({ type, kind, computed }) => type === "MethodDefinition" && kind !== "constructor" && !computed;

function describeMember(node) {
  const [references, words] = [new Set(), new Set()];
  collectNames(node.value, references, words);
  const { name } = node.key;
  // The library composes the name of a text from that of its property: `locTitle` of `title`.
  const [, first, rest] = /^loc([A-Z])(\w*)$/.exec(name) ?? [];
  return { node, references, words, names: [], members: [], waitsFor: [name, first && first.toLowerCase() + rest] };
}

function declaredNames(node) {
  if (node.type === "VariableDeclaration") return node.declarations.flatMap(({ id }) => [...collectNames(id)]);
  return node.id ? [node.id.name] : [];
}

/** All that these statements need, and all the words in it, with those that are known. */
function reach(first, declared, owned, known) {
  const [parts, words, waiting, left] = [new Set(), new Set(), new Map(), [...first]];
  const add = (word) => {
    words.add(word);
    left.push(...(waiting.get(word) ?? []));
    waiting.delete(word);
  };
  for (const word of known) add(word);
  while (left.length) {
    const one = left.pop();
    if (!one || parts.has(one)) continue;
    parts.add(one);
    for (const name of one.references) left.push(declared.get(name));
    for (const word of one.words) add(word);
    for (const more of [...one.members, ...one.names.flatMap((name) => owned.get(name) ?? [])]) {
      if (!more.waitsFor.length || more.waitsFor.some((word) => words.has(word))) left.push(more);
      else for (const word of more.waitsFor) waiting.set(word, [...(waiting.get(word) ?? []), more]);
    }
  }
  return { parts, words };
}

/**
 * Add to `references` the names that may refer to top-level declarations, also local variables of the same name, which
 * does no harm, and to `words` all names, also those in texts.
 */
function collectNames(node, references = new Set(), words = new Set(), except = new Set()) {
  if (except.has(node)) return references;
  if (node.type === "Identifier") {
    references.add(node.name);
    words.add(node.name);
  }
  const literal = node.type === "Literal" ? node.value : node.type === "TemplateElement" ? node.value.cooked : "";
  for (const [word] of typeof literal === "string" ? literal.matchAll(/\w+/g) : []) words.add(word);
  for (const [key, value] of Object.entries(node)) {
    if (!value || typeof value !== "object" || value instanceof RegExp) continue;
    // In `a.name` and `{ name: … }`, the name is not a reference.
    const isName = (key === "property" || (key === "key" && !node.shorthand)) && !node.computed;
    for (const child of [value].flat())
      if (child?.type) collectNames(child, isName ? new Set() : references, words, except);
  }
  return references;
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
