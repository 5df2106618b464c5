/** Names of Unicode classes that re2js takes and RE2 does not: properties, and scripts since Unicode 16. */
const namesUnknownToRe2: ReadonlySet<string> = new Set([
  ...['Alphabetic', 'ASCII_Hex_Digit', 'Assigned', 'Cn', 'Dash', 'Emoji', 'Emoji_Component', 'Emoji_Modifier'],
  ...['Emoji_Modifier_Base', 'Emoji_Presentation', 'Extended_Pictographic', 'Hex_Digit', 'LC', 'Lowercase', 'Math'],
  ...['Quotation_Mark', 'Terminal_Punctuation', 'Unknown', 'Uppercase', 'White_Space'],
  ...['Beria_Erfe', 'Garay', 'Gurung_Khema', 'Kirat_Rai', 'Ol_Onal', 'Sidetic', 'Sunuwar', 'Tai_Yo', 'Todhri'],
  ...['Tolong_Siki', 'Tulu_Tigalari'],
])

/** Finds escapes, and the names of classes among them. */
const escapes = /\\(?:Q.*?(?:\\E|$)|[pP]\{\^?([^}\\]*)\}|.)/gsu

/** Returns the first Unicode class of a regular expression that RE2 does not know, as it is written. */
export function classUnknownToRe2(pattern: string): string | undefined {
  for (const [written, name] of pattern.matchAll(escapes))
    if (name !== undefined && namesUnknownToRe2.has(name)) return written
  return undefined
}
