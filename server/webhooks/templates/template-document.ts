import { type JSONPath, printParseErrorCode, visit } from 'jsonc-parser'
import { pointerTo } from '../../problem/json-pointer.ts'

/** One reason why a body template is refused. */
export interface TemplateFault {
  readonly code:
    | 'too_large'
    | 'malformed_text'
    | 'malformed_json'
    | 'not_an_object'
    | 'too_deep'
    | 'duplicate_key'
    | 'malformed_reference'
    | 'unknown_variable'
  readonly message: string
  /** The number of Unicode code points of the template before the fault. Absent if the fault is about all of it. */
  readonly position?: number
}

/** Maximum number of reported faults. It limits the size of the response, and the time in which it is made. */
export const templateFaultsMax = 20

/** The template violates a rule. The error contains the faults that were found, up to `templateFaultsMax`. */
export class InvalidTemplate extends Error {
  readonly faults: readonly TemplateFault[]

  constructor(faults: readonly TemplateFault[]) {
    super(faults[0]?.message ?? 'The template is not valid.')
    this.name = 'InvalidTemplate'
    this.faults = faults
  }
}

/** `offset` is the number of UTF-16 code units of the text before the fault. */
function invalidTemplate(code: TemplateFault['code'], message: string, text: string, offset: number): InvalidTemplate {
  return new InvalidTemplate([{ code, message, position: positionOf(text, offset) }])
}

/** Returns the number of Unicode code points before an offset in UTF-16 code units. */
export function positionOf(text: string, offset: number): number {
  return [...text.slice(0, offset)].length
}

/** Matches a character of a JSON string as it is written, escaped or not. */
const writtenCharacter = /\\u[0-9a-fA-F]{4}|\\.|./sy

/** Returns where in a document a character of a string value is written, given its index in the value. */
export function offsetIn(text: string, { start }: Pick<StringValue, 'start'>, index: number): number {
  writtenCharacter.lastIndex = start + 1
  for (let read = 0; read < index; read += 1) writtenCharacter.test(text)
  return writtenCharacter.lastIndex
}

/** A string of a document that is not a key. `start` and `end` delimit its text, including the quotes. */
export interface StringValue {
  readonly start: number
  readonly end: number
  readonly value: string
  readonly path: JSONPath
}

/** Maximum size of `body_template` in UTF-8 bytes. */
const templateBytesMax = 32_768

/** Maximum nesting of lists and objects. Many JSON parsers of receivers have a similar limit. */
const templateDepthMax = 64

/**
 * Returns the strings of a JSON document in order, without its keys.
 * @throws InvalidTemplate unless the text is strict JSON within the limits above, its root is an object, no object has
 * a duplicate key, and all surrogates are paired
 */
export function readStrings(text: string): readonly StringValue[] {
  const bytes = Buffer.byteLength(text)
  if (bytes > templateBytesMax) {
    const message = `The template has ${bytes} bytes in UTF-8; at most ${templateBytesMax} are allowed.`
    throw new InvalidTemplate([{ code: 'too_large', message }])
  }
  const strings: StringValue[] = []
  const objects = trackObjects(text)
  visit(
    text,
    {
      onObjectBegin: (offset, _length, line, column) => objects.begin(new Set(), offset, at(line, column)),
      onObjectProperty(key, offset, _length, _line, _column, path) {
        requirePairs(key, text, offset)
        objects.addKey(key, offset, path)
      },
      onObjectEnd: objects.end,
      onArrayBegin: (offset, _length, line, column) => objects.begin(undefined, offset, at(line, column)),
      onArrayEnd: objects.end,
      onLiteralValue(value, start, length, _line, _column, path) {
        objects.requireRoot(start)
        if (typeof value !== 'string') return
        requirePairs(value, text, start)
        strings.push({ start, end: start + length, value, path: path() })
      },
      onError(error, offset, _length, line, column) {
        const fault = `${toWords(printParseErrorCode(error))} ${at(line, column)}`
        throw invalidTemplate('malformed_json', `The template is not valid JSON: ${fault}.`, text, offset)
      },
    },
    { disallowComments: true },
  )
  if (objects.faults.length > 0) throw new InvalidTemplate(objects.faults)
  return strings
}

/** Refuses a key or a string with an unpaired surrogate, escaped or not, which receivers cannot encode in UTF-8. */
function requirePairs(value: string, text: string, start: number): void {
  const surrogate = value.search(/\p{Cs}/u)
  if (surrogate < 0) return
  const offset = offsetIn(text, { start }, surrogate)
  throw invalidTemplate('malformed_text', 'The template contains an unpaired surrogate.', text, offset)
}

/** Tracks the keys of the open objects, innermost last. An open list is undefined. */
function trackObjects(text: string) {
  const open: (Set<string> | undefined)[] = []
  const faults: TemplateFault[] = []
  const requireRoot = (offset: number) => {
    if (open.length > 0) return
    throw invalidTemplate('not_an_object', 'The template must be a JSON object.', text, offset)
  }
  return {
    faults,
    requireRoot,
    begin(keys: Set<string> | undefined, offset: number, position: string) {
      if (keys === undefined) requireRoot(offset)
      // The parser is recursive, so the limit also protects its stack.
      if (open.length >= templateDepthMax) {
        const message = `The template is nested more than ${templateDepthMax} levels deep ${position}.`
        throw invalidTemplate('too_deep', message, text, offset)
      }
      open.push(keys)
    },
    addKey(key: string, offset: number, path: () => JSONPath) {
      const keys = open.at(-1)
      if (keys?.has(key) && faults.length < templateFaultsMax) {
        const message = `The template has the key ${JSON.stringify(key)} twice in the object at ${inQuotes(path())}.`
        faults.push({ code: 'duplicate_key', message, position: positionOf(text, offset) })
      }
      keys?.add(key)
    },
    end: () => void open.pop(),
  }
}

/** Converts the name of an error to words: `CommaExpected` -> `comma expected`. */
function toWords(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
}

function at(line: number, column: number): string {
  return `at line ${line + 1}, column ${column + 1}`
}

/** Returns a path as a quoted JSON pointer (RFC 6901). The root is `""`. */
export function inQuotes(path: JSONPath): string {
  return JSON.stringify(pointerTo(...path))
}
