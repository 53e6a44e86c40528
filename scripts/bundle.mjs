// Bundles the scripts and style sheets of the pages: `node scripts/bundle.mjs FOLDER`, called by scripts/assets.py.
// `--compress FOLDER` compresses them.
//
// An entry is the name of a file in `static` that a page loads. Each script of a page for respondents is bundled with
// everything that it always needs into one file, because each further file costs requests; the other pages share chunks.
// `manifest.json` in the folder says for each entry, and each module that is loaded later, in which file it is, and
// which files that one imports.

import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { build } from "esbuild";
import { basicTexts } from "../src/formwright/web/static/fill/texts/basic.mjs";
import { splitSurveyLibrary, trimStyles } from "./survey_library.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const WEB = join(ROOT, "src/formwright/web");
const STATIC = join(WEB, "static");
const PACKAGES = join(ROOT, "node_modules");
const TEXTS = join(STATIC, "fill/texts");
// English is part of the form.
const OWN_LANGUAGE = "en";
const FORM = "fill.js";
/** The kinds of questions that only some forms have. */
const LATER = "survey-js-ui/later";
const OPTIONS_POPUP = 'export { PopupDropdownViewModel as OptionsPopup } from "survey-core/later";';
// Those of the pages for respondents. The service worker cannot import anything.
const ALONE = ["closed_form.js", "fill/sw.js"];

const [option, target] = process.argv.slice(2);
const folder = resolve(target ?? option);
const entries = await findEntries();
const manifest = {};
const options = {
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
  // The server names a map in a header, so that scripts are the same with and without maps.
  sourcemap: "external",
  outdir: folder,
  outbase: STATIC,
  absWorkingDir: ROOT,
  chunkNames: "chunks/[name]-[hash]",
  // Images of Leaflet's buttons, which our maps do not have.
  external: ["*.png"],
  metafile: true,
  logLevel: "warning",
};

const surveyStyles = {
  name: "styles",
  setup({ onLoad }) {
    onLoad({ filter: /survey-core\.fontless\.min\.css$/ }, async ({ path }) => ({
      contents: trimStyles(await readFile(path, "utf-8")),
      loader: "css",
    }));
  },
};

const scripts = entries.filter((name) => name.endsWith(".js"));
const styles = entries.filter((name) => name.endsWith(".css"));
const shared = scripts.filter((name) => ![FORM, ...ALONE].includes(name));
if (option === "--compress") await compressAll();
else await bundleAll();

/** The names of files in calls in Python and in templates are what pages load. */
async function findEntries() {
  const sources = (await readdir(WEB, { recursive: true })).filter((name) => /\.(py|html)$/.test(name));
  const texts = await Promise.all(sources.map((name) => readFile(join(WEB, name), "utf-8")));
  const calls = texts.flatMap((text) => [...text.matchAll(/\b(?:asset|module|find_bundle)\(["']([^"'{}]+)["']\)/g)]);
  return [...new Set(calls.map(([, name]) => name))].sort();
}

async function bundleAll() {
  await mkdir(folder, { recursive: true });
  await Promise.all([
    bundleForm(),
    ...ALONE.map((name) => bundle({ entryPoints: [join(STATIC, name)] })),
    bundle({ entryPoints: shared.map((name) => join(STATIC, name)) }),
    bundle({ entryPoints: styles.map((name) => join(STATIC, name)), sourcemap: false, plugins: [surveyStyles] }),
    ...entries.filter((name) => !scripts.includes(name) && !styles.includes(name)).map(copy),
  ]);
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest, null, 1));
}

async function bundle(given, isNamed = (name) => entries.includes(name)) {
  const { metafile } = await build({ ...options, ...given });
  const outputs = Object.fromEntries(
    Object.entries(metafile.outputs).map(([path, output]) => [
      toName(path),
      { ...output, imports: importedBy(output) },
    ]),
  );
  for (const [file, { entryPoint }] of Object.entries(outputs)) {
    const name = entryPoint && nameOf(entryPoint);
    if (name && isNamed(name)) manifest[name] = locate(file, outputs);
  }
}

function toName(path) {
  return relative(folder, join(ROOT, path));
}

function importedBy({ imports }) {
  return imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => toName(path));
}

/** The name of a source: its path in `static` or in `node_modules`, which may be a link to another folder. */
function nameOf(source) {
  const [, name = source] = /^(?:src\/formwright\/web\/static\/|(?:.*\/)?node_modules\/|\w+:)(.*)/.exec(source) ?? [];
  return name;
}

/** The file of an entry, and what it imports. A file that only imports another one would be a request without use. */
function locate(file, outputs) {
  const {
    inputs,
    imports: [first, ...others],
    exports,
  } = outputs[file];
  const isEmpty = Object.values(inputs).every(({ bytesInOutput }) => !bytesInOutput);
  if (isEmpty && first && !others.length && !exports.length) return locate(first, outputs);
  return { file, imports: [...reach(file, outputs)].filter((name) => name !== file) };
}

function reach(file, outputs, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const name of outputs[file].imports) reach(name, outputs, found);
  return found;
}

/** With brotli, as far as it can: for files that are served many times, its time does not matter. */
async function compressAll() {
  const files = await readdir(folder, { recursive: true });
  const compress = async (name) => {
    const content = await readFile(join(folder, name));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(content, { params }));
  };
  await Promise.all(
    files.filter((name) => /\.(js|css|json|svg)$/.test(name) && name !== "manifest.json").map(compress),
  );
}

async function copy(name) {
  const source = name.startsWith("world-atlas/") ? PACKAGES : STATIC;
  await copyFile(join(source, name), join(folder, basename(name)));
  manifest[name] = { file: basename(name), imports: [] };
}

/** The form and its languages. What a module shares with others would be a file of its own: here, that is the form. */
async function bundleForm() {
  const translations = (await readdir(TEXTS))
    .filter((name) => name.endsWith(".js"))
    .map((name) => basename(name, ".js"));
  const tags = [...translations, ...Object.keys(basicTexts)].filter((tag) => tag !== OWN_LANGUAGE);
  const names = [FORM, ...tags.map((tag) => `languages/${tag}.js`)];
  const library = await splitSurveyLibrary(PACKAGES, await wordsOfForm());
  const plugins = [formModules(library)];
  // The page of a form names what it may load later, so that it can be stored on the device.
  await bundle(
    { entryPoints: names.map((name) => ({ in: `form:${name}`, out: name.slice(0, -3) })), plugins },
    () => true,
  );
}

/** All words in the scripts of a form: the names of the library that they use are among them. */
async function wordsOfForm() {
  const names = (await readdir(join(STATIC, "fill"), { recursive: true })).filter((name) => name.endsWith(".js"));
  const texts = await Promise.all(names.map((name) => readFile(join(STATIC, "fill", name), "utf-8")));
  return new Set(texts.join("\n").match(/\b[A-Za-z]\w+/g));
}

/** All modules that are loaded later import the form, which has loaded them. */
function formModules(library) {
  const form = `import ${JSON.stringify(join(STATIC, FORM))};`;
  const later = new Set();

  function language(tag) {
    const basic = basicTexts[tag];
    const texts = basic
      ? `export const texts = ${JSON.stringify(basic)};`
      : `export * from ${JSON.stringify(join(TEXTS, `${tag}.js`))};`;
    return `${form} ${texts}`;
  }

  function setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^form:/ }, ({ path }) => ({ path: path.slice(5), namespace: "form" }));
    onLoad({ filter: /.*/, namespace: "form" }, ({ path }) => ({
      contents: path === FORM ? form : language(basename(path, ".js")),
      resolveDir: ROOT,
    }));
    onResolve({ filter: /^survey-(core|js-ui)(\/always|\/later|\/icons)?$/ }, ({ path }) => ({
      path,
      namespace: "library",
    }));
    onLoad({ filter: /.*/, namespace: "library" }, ({ path }) => ({
      contents: path === LATER ? `${form}\n${library[path]}\n${OPTIONS_POPUP}` : library[path],
      resolveDir: ROOT,
    }));
    onResolve({ filter: /.*/ }, async ({ kind, path, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      const found = await resolve(path, { kind: "import-statement", resolveDir });
      later.add(found.path);
      return found;
    });
    onLoad({ filter: /\.m?js$/, namespace: "file" }, async ({ path }) =>
      later.has(path) ? { contents: `${form} ${await readFile(path, "utf-8")}` } : undefined,
    );
  }

  return { name: "form", setup };
}
