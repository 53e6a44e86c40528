/** Return a text as lists of choices are searched: without accents and case. */
export const foldText = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
