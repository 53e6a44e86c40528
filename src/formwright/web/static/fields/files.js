// Fields whose answers are files.

import { isSet } from "./base.js";

const check = (step, value) => (value.length > step.maxFiles || !isSet(value) ? ["checkFiles", step.maxFiles] : null);

export const photo = { check };
export const audio = { check };
export const video = { check };
export const signature = {};
export const file = { check };
