/** The length of a text, counted like the server does: in Unicode code points. */
export function countCharacters(text) {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
