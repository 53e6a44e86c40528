// Fields with settings, and sections of several fields, that people look for under a name of their own.

import { slugify, uniqueName } from "./field_names.js";
import { createNode } from "./field_tree.js";

const AGREEMENT_LABELS = ["Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree"];

const createAgreementOptions = () => AGREEMENT_LABELS.map((label) => ({ value: slugify(label, "option"), label }));

/** Return a function that gives a field a name that is not taken. */
function createFieldNamer(taken) {
  const names = new Set(taken);
  return (rest, base) => {
    const name = uniqueName(base, names);
    names.add(name);
    return { ...rest, name };
  };
}

function createLikertScale(taken) {
  return createNode(
    createFieldNamer(taken)(
      { type: "choice", label: "Likert scale", options: createAgreementOptions(), likert: true },
      "likert",
    ),
  );
}

/** A text, the agreement to it, and a signature. */
function createConsentSection(taken) {
  const field = createFieldNamer(taken);
  const section = field({ type: "section", label: "Consent" }, "consent");
  const parts = [
    field({ type: "note", label: "What people agree to" }, "consent_text"),
    field({ type: "boolean", label: "Agreement", agreement: true, required: true }, "agreed"),
    field({ type: "signature", label: "Signature" }, "consent_signature"),
  ];
  return createNode(
    section,
    parts.map((one) => createNode(one)),
  );
}

/** Two dates, the second of which is not before the first. */
function createPeriodSection(taken) {
  const field = createFieldNamer(taken);
  const section = field({ type: "section", label: "Period" }, "period");
  const start = field({ type: "date", label: "From" }, "from_date");
  const end = field({ type: "date", label: "Until", message: "This is before the first date." }, "until_date");
  end.validIf = `!answered.${start.name} || ${end.name} >= ${start.name}`;
  return createNode(section, [createNode(start), createNode(end)]);
}

/** A section that is shown as a table: statements, and how far people agree. */
function createMatrix(taken) {
  const options = createAgreementOptions();
  const field = createFieldNamer(taken);
  const section = field({ type: "section", label: "New matrix", table: true }, "matrix");
  const rows = [1, 2].map((number) =>
    createNode(field({ type: "choice", label: `Statement ${number}`, options }, `statement_${number}`)),
  );
  return createNode(section, rows);
}

/** They are in the groups of the menu, after the types. `create(taken)` returns the node to add. */
export const FIELD_PRESETS = {
  matrix: { group: "Choice", title: "Matrix", icon: "M2 3h12v10H2zM2 6.5h12M6 3v10M10 3v10", create: createMatrix },
  likert: {
    group: "Choice",
    title: "Likert scale",
    icon: "M2 8h12M3 8v1M8 8v1M13 8v1M5 5l3 3 3-3",
    create: createLikertScale,
  },
  consent: { group: "Choice", title: "Consent", icon: "M2 3h12v10H2zM5 8l2 2 4-4", create: createConsentSection },
  period: {
    group: "Date and time",
    title: "Range of dates",
    icon: "M2 4h12v9H2zM2 7h12M5 2v3M11 2v3M5 10h6",
    create: createPeriodSection,
  },
};
