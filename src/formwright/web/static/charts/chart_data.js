// The numbers of a chart, read from the table that the page has in any case; and the table as CSV.

// Returns the label of each row, each series with its values and, if it has them, shares of 1, and the texts at the end of
// bars. A missing number is null.
export function readChartData(table) {
  const heads = [...table.tHead.rows[0].cells].slice(1);
  const rows = [...table.tBodies[0].rows];
  const column = (at) =>
    rows.map((row) => (row.cells[at].dataset.value === "" ? null : Number(row.cells[at].dataset.value)));
  const series = [];
  let notes = null;
  heads.forEach((head, at) => {
    const name = head.textContent;
    const texts = rows.map((row) => row.cells[at + 1].textContent);
    if (head.dataset.content === "share") series.at(-1).shares = column(at + 1);
    else if (head.dataset.content === "text") notes = texts.map((text) => `${name} ${text}`);
    else series.push({ name, values: column(at + 1), texts });
  });
  return { labels: rows.map((row) => row.cells[0].textContent), series, notes };
}

// The same with at most `count` rows. For a single series, one more row has the sum of the others, without a bar, which would
// dwarf the first ones, and without a share, because a respondent of several options would be counted more than once.
export function combineOtherRows({ labels, series, notes }, count) {
  const others = labels.length - count;
  if (others <= 0) return { labels, series, notes };
  const cut = series.map(({ name, values, shares, texts }) => ({
    name,
    values: values.slice(0, count),
    texts: texts.slice(0, count),
    shares: shares?.slice(0, count),
  }));
  if (cut.length > 1) return { labels: labels.slice(0, count), series: cut, notes: notes?.slice(0, count) };
  const sum = series[0].values.slice(count).reduce((total, value) => total + (value ?? 0), 0);
  cut[0].values.push(null);
  cut[0].texts.push(sum.toLocaleString("en"));
  cut[0].shares?.push(null);
  return { labels: [...labels.slice(0, count), `Others (${others.toLocaleString("en")})`], series: cut };
}

// RFC 4180, in UTF-8 with a byte order mark, as spreadsheet programs expect it.
export function formatCsv(table) {
  const lines = [...table.rows].map((row) =>
    [...row.cells].map((cell) => quoteCell(cell.dataset.value ?? escapeFormula(cell.textContent))).join(","),
  );
  return `\ufeff${lines.join("\r\n")}\r\n`;
}

// Labels are written by users; spreadsheet programs would run some as formulas. As in core/formulas.py.
function escapeFormula(text) {
  const ignored = "\\s\\ufeff\\u200b-\\u200d\\u2060\\u00ad\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\0-\\x1f";
  return new RegExp(`^[\\t\\r\\n]|^[${ignored}]*[=+\\-@＝＋－＠]`).test(text) ? `'${text}` : text;
}

function quoteCell(text) {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
