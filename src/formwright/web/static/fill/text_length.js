/** The length of a text, counted like the server does: in Unicode code points. */
export function characters(text) {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
