/** Writes records as CSV (RFC 4180) that spreadsheets can open without running any of its texts. */

/** The first characters of texts that spreadsheets take for formulas. */
const formulaStart = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const decimal = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i
/** Separators of spreadsheets in any language, quotes, line breaks, and white space that readers may trim. */
const needsQuotes = /[",;\t\r\n]|^\s|\s$/

/** Writes one line, including its end. Null is an empty field. */
export function csvLine(fields: readonly (string | number | null)[]): string {
  return `${fields.map(csvField).join(',')}\r\n`
}

/**
 * Writes a field. A text that a spreadsheet would take for a formula is preceded by an apostrophe; negative numbers are
 * not formulas.
 */
function csvField(field: string | number | null): string {
  if (field === null) return ''
  if (typeof field === 'number') return String(field)
  const text = formulaStart.test(field) && !decimal.test(field) ? `'${field}` : field
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
