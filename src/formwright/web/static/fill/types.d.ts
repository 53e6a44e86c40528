// The types of the fill page's data, for the type check of its scripts; no page loads this file. Names are those of the
// server: `web/fill/page_data.py`, `web/fill/rule_program.py` and `domain/forms/rules/program.py`.

import type { Question, SurveyModel } from "survey-core";
import type { AuditLog } from "./audit_log.js";
import type { CalculatedLookups } from "./calculated_lookups.js";
import type { Draft } from "./draft.js";
import type { DraftAutosave } from "./draft_autosave.js";
import type { RuleEvaluator } from "./rule_evaluator.js";

/** A text, or one for each language. */
export type Label = string | Record<string, string>;

/** Answers by the names of their fields. */
export type Answers = Record<string, any>;

/** What is wrong with an answer: the key of a text, and the values of its placeholders. */
export type AnswerError = [key: string, ...values: (string | number)[]] | null;

/** What the server has put into the page as `form-data`. */
export interface PageData {
  /** The path of the form's page: the address of everything that belongs to it. */
  base: string;
  deviceBase: string;
  versionId: string;
  form: string;
  survey: object;
  steps: Step[];
  costs: Record<string, number>;
  /** Whether the form has rules, patterns, and rules that compute digests. */
  ruled: boolean;
  patterns: boolean;
  /** Whether patterns are needed before people have typed anything. */
  patternsAtOnce: boolean;
  digests: boolean;
  /** Whether the form needs the question types, and the widgets of devices, that are loaded later. */
  moreTypes: boolean;
  deviceWidgets: boolean;
  /** The names of the lookups. */
  lookups: string[];
  lastSaved?: string[];
  language: string;
  /** The URL of the page's texts by language; null for English ones. */
  languages: Record<string, string | null>;
  audit: string | null;
  startLocation: string | null;
  thanks: Label | null;
  /** The form's own texts of buttons, by the names of those of the page. */
  buttons: Record<string, Label>;
  score: { show: string; passPercent?: number } | null;
  redirect: string | null;
  prefill: Answers;
  preview?: boolean;
  /** What edits answers instead of submitting them, see `fill.js`. */
  editor?: "submission" | "respondent" | "prefill";
  /** A personal link, which is filled in once. */
  once: boolean;
  /** The client id of a rejected submission that is being corrected. */
  again: string | null;
  /** The revision of the answers saved so far. */
  begun: number;
  onePerDevice: boolean;
  /** Whether a return link has opened the page, and the name of the page on which the person was. */
  returned: boolean;
  position: string | null;
  /** A submission that is edited. */
  correct?: { url: string; back?: string; revision: number; ends?: number | null };
  person: Answers;
  files: Record<string, { name: string; url: string }>;
  media?: Record<string, string>;
  map?: Basemap;
  deviceTime?: string;
  /** URLs to store for offline use. */
  keep: string[];
  keepMedia?: string[];
}

/** The background of maps, from `web/fill/position_map.py`. */
export interface Basemap {
  outlines: string;
  file?: string;
  tiles?: string;
  attribution?: string;
  /** The URL of the style sheet. */
  styles: string;
}

/** A field of the form in the program of its rules. Rules are texts in CEL. */
export interface Step {
  name: string;
  type: string;
  /** The kind of its answers (`domain/forms/fields/answer_kinds.py`). */
  kind: string;
  sections: string[];
  rows?: Step[];
  required?: boolean;
  requiredIfVisible?: boolean;
  requiredMessage?: Label;
  message?: Label;
  readOnly?: boolean;
  visibleIf?: string;
  requiredIf?: string;
  readOnlyIf?: string;
  validIf?: string;
  calculate?: string;
  defaultRule?: string;
  optionFilter?: string;
  /** The names of the fields whose answers the filter reads. */
  filterNames?: string[];
  countRule?: string;
  recalculateOn?: string[];
  metadata?: string;
  default?: any;
  mapping?: Record<string, string>;
  pattern?: string;
  agreement?: boolean;
  randomize?: boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minChoices?: number;
  minItemLength?: number;
  maxItemLength?: number;
  maxInputSize?: number;
  isChoice?: boolean;
  points?: Record<string, number>;
  maxPoints?: number;
  readsRows?: boolean;
  values?: string[];
  exclusive?: string[];
  options?: Record<string, Record<string, string>>;
  labels?: Record<string, Label>;
  texts?: Record<string, any>;
  rowLabel?: Label;
}

/** The results of the rules for a form or a row. */
export interface Level {
  answers: Answers;
  /** The answers as rules see them. */
  inputs: Answers;
  /** The names of the fields that are shown, that a rule requires, and that a rule makes read-only. */
  shown: Set<string>;
  required: Set<string>;
  readOnly: Set<string>;
  /** The values of the options, by the names of their fields. */
  offered: Record<string, Set<string>>;
  initial: Answers;
  /** The levels of the rows of each repeat, and the number of rows that a rule computes. */
  rows: Record<string, Level[]>;
  counts: Record<string, number>;
  /** In hundredths of points. */
  score: number;
  maxScore: number;
  points?: Record<string, number>;
}

/** `what` is `required`, `option`, `rule`, `rows` or `limit`. */
export interface Violation {
  path: (string | number)[];
  field?: string;
  what: string;
}

/** The result of the rules: that of the form with its violations, or only the field whose rule is too costly. */
export type Evaluation = Partial<Level> & {
  violations?: Violation[];
  costly?: { path: (string | number)[]; field?: string };
};

/** A rule that has been compiled by `rule_compiler.js`. */
export interface CompiledRule {
  names: string[];
  works: boolean;
  evaluate(answers: Answers, budget: object): any;
  isTrue(answers: Answers, budget: object): boolean;
}

/** The outcome of a request, as `shared/api_client.js` describes it. */
export interface ApiResult {
  kind: "done" | "refused" | "closed" | "later";
  code?: string;
  detail?: string;
  errors?: { pointer?: string; code?: string; detail: string }[];
  /** There was no response. */
  network?: boolean;
  busy?: boolean;
  /** Seconds. */
  wait?: number;
  id?: string;
  status?: string;
  revision?: number;
  link?: string;
  linkEnds?: number | null;
}

/** A submission in the outbox. */
export interface OutboxEntry {
  id: string;
  base: string;
  versionId: string;
  data: Answers;
  /** The answers in the page's format, for opening it again. */
  draft: Answers;
  /** When it was submitted, in milliseconds. */
  at: number;
  problem?: ApiResult;
  [more: string]: any;
}

/** A file of an answer on this device. */
export interface LocalFile {
  id: string;
  base: string;
  version: string;
  field: string;
  name: string;
  type: string;
  blob: Blob;
  /** Its id on the server, once it has been uploaded. */
  fileId?: string;
  /** It exists as long as the page is open. */
  inMemoryOnly?: boolean;
}

/** What the parts of the page share; `form_session.js` creates it. */
export interface FormSession {
  page: PageData;
  draft: Draft;
  survey: SurveyModel;
  evaluator: RuleEvaluator;
  calculatedLookups: CalculatedLookups;
  autosave: DraftAutosave;
  audit: AuditLog | null;
  editor: string;
  position: string | undefined;
  editorState: { editor?: string; revision?: number; position?: string };
  isStored?: boolean;
  restoreDraft(): void;
  showStatus(name: string): void;
  showSavedElsewhere(): void;
  startNewResponse(): void;
}

/** What the field types of the pages have; `fields/types.js` explains it. */
export interface FieldType {
  check?(step: Step, value: any): AnswerError;
  checkCalculated?(step: Step, value: any): AnswerError;
  isWellFormed?(value: any): boolean;
  toApi?(value: any): any;
  toPage?(value: any): any;
  parseCell?(cell: string): any;
  isPicked?: boolean;
  format?(
    value: any,
    words: { tag: string; option(value: any): string; yesOrNo(value: boolean): string },
  ): string | undefined;
  upload?: UploadSettings;
  typedDefault?: {
    input?: Record<string, string>;
    help?: string;
    write?(value: any): string;
    read?(text: string): any;
  };
  notation?: NumberNotation;
}

/** How numbers are typed. `refusal` is a sentence, or "". */
export interface NumberNotation {
  placeholder?: string;
  inputmode?: string;
  read(text: string): { value?: number; refusal: string };
  write(value: number): string;
  /** Whether a text is as `write` returns it, so that it may stay. */
  isWritten?(text: string): boolean;
}

/** Which files people add, the keys of the texts on the buttons, how the page shows them, and what it records itself. */
export interface UploadSettings {
  accept: string;
  capture?: string;
  take?: string;
  choose: string;
  isImage?: boolean;
  player?: "audio" | "video";
  recorder?: { mimeTypes: string[]; constraints: MediaStreamConstraints };
}

declare global {
  // Not in the type definitions of TypeScript yet, or not in all browsers.
  var BarcodeDetector: (new () => { detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]> }) | undefined;

  interface ServiceWorkerRegistration {
    sync: { register(tag: string): Promise<void> };
  }
  namespace Intl {
    interface Locale {
      getTextInfo?(): { direction: "ltr" | "rtl" };
      textInfo?: { direction: "ltr" | "rtl" };
    }
  }
}

/** A question with what our pages add to those of the form library. */
export interface FormQuestion extends Question {
  /** Typed text that is no answer. */
  unread?: string;
  /** The key of the text that says what has to end before the form is submitted. */
  unfinished?: string;
  [more: string]: any;
}
