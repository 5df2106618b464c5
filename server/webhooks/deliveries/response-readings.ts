/**
 * The readings of a response: as it is, and without the escapes of JSON, HTML and URLs. A secret is looked for in all
 * of them, however the receiver spelled it. A regular expression with every spelling of a secret could take
 * exponential time, and the owner of a channel chooses both the secret and the response.
 */

/** A part of the response. */
export interface Range {
  readonly begin: number
  readonly end: number
}

/** A text, and for each of its code units the range of the response that it was read from. */
export interface ResponseReading {
  readonly text: string
  readonly begins: readonly number[]
  readonly ends: readonly number[]
  /** The length of the response. */
  readonly length: number
}

interface Escapes {
  readonly pattern: RegExp
  /** Returns what an escape stands for, or itself if it is not valid. */
  decode(found: string): string
}

const json: Escapes = {
  pattern: /\\(?:u[\da-f]{4}|x[\da-f]{2}|["'\\/])/gi,
  decode: (found) => (found.length === 2 ? found.slice(1) : String.fromCharCode(Number.parseInt(found.slice(2), 16))),
}

const namedCharacters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const html: Escapes = {
  pattern: /&(?:amp|lt|gt|quot|apos|#\d{1,8}|#x[\da-f]{1,8});/gi,
  decode(found) {
    const name = found.slice(1, -1).toLowerCase()
    if (!name.startsWith('#')) return namedCharacters[name] ?? found
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code <= 0x10ffff ? String.fromCodePoint(code) : found
  },
}

const url: Escapes = {
  pattern: /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}/gi,
  decode(found) {
    try {
      return decodeURIComponent(found)
    } catch {
      return found
    }
  },
}

/** Returns the response as it is and without the escapes of each combination of formats, such as HTML in JSON. */
export function readingsOf(response: string): ResponseReading[] {
  const begins = Array.from({ length: response.length }, (_, index) => index)
  const plain = { text: response, begins, ends: begins.map((begin) => begin + 1), length: response.length }
  const readings = new Set<ResponseReading>([plain])
  for (const escapes of [json, html, url]) {
    for (const reading of [...readings]) readings.add(withoutEscapes(reading, escapes))
  }
  return [...readings]
}

/** Returns the reading itself if it has no escapes. */
function withoutEscapes(reading: ResponseReading, { pattern, decode }: Escapes): ResponseReading {
  const begins: number[] = []
  const ends: number[] = []
  let text = ''
  let at = 0
  const copyUntil = (end: number) => {
    text += reading.text.slice(at, end)
    for (; at < end; at++) {
      begins.push(reading.begins[at] as number)
      ends.push(reading.ends[at] as number)
    }
  }
  for (const { 0: found, index } of reading.text.matchAll(pattern)) {
    copyUntil(index)
    at = index + found.length
    for (const unit of decode(found).split('')) {
      text += unit
      begins.push(reading.begins[index] as number)
      ends.push(reading.ends[at - 1] as number)
    }
  }
  if (at === 0) return reading
  copyUntil(reading.text.length)
  return { text, begins, ends, length: reading.length }
}

/** Removes the beginning of an escape from the end of a truncated text. */
export function withoutBegunEscape(text: string): string {
  return text.replace(
    /(?:\\(?:u[\da-f]{0,3}|x[\da-f]?)?|&(?:[a-z]{0,4}|#\d{0,8}|#x[\da-f]{0,8})|(?:%[\da-f]{0,2}){1,4})$/i,
    '',
  )
}
