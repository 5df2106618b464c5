import { type JSONPath, printParseErrorCode, visit } from 'jsonc-parser'

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
}

/** The template violates a rule. The error contains all faults that were found. */
export class InvalidTemplate extends Error {
  readonly faults: readonly TemplateFault[]

  constructor(faults: readonly TemplateFault[]) {
    super(faults[0]?.message ?? 'The template is not valid.')
    this.name = 'InvalidTemplate'
    this.faults = faults
  }
}

function invalidTemplate(code: TemplateFault['code'], message: string): InvalidTemplate {
  return new InvalidTemplate([{ code, message }])
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
 * @throws InvalidTemplate unless the text is strict JSON within the limits above, its root is an object, and no object
 * has a duplicate key
 */
export function readStrings(text: string): readonly StringValue[] {
  const bytes = Buffer.byteLength(text)
  if (bytes > templateBytesMax) {
    const message = `The template has ${bytes} bytes in UTF-8; at most ${templateBytesMax} are allowed.`
    throw invalidTemplate('too_large', message)
  }
  if (/\p{Cs}/u.test(text)) throw invalidTemplate('malformed_text', 'The template contains an unpaired surrogate.')
  const strings: StringValue[] = []
  const objects = trackObjects()
  visit(
    text,
    {
      onObjectBegin: (_offset, _length, line, column) => objects.begin(new Set(), line, column),
      onObjectProperty: (key, _offset, _length, _line, _column, path) => objects.addKey(key, path),
      onObjectEnd: objects.end,
      onArrayBegin: (_offset, _length, line, column) => objects.begin(undefined, line, column),
      onArrayEnd: objects.end,
      onLiteralValue(value, start, length, _line, _column, path) {
        objects.requireRoot()
        if (typeof value === 'string') strings.push({ start, end: start + length, value, path: path() })
      },
      onError(error, _offset, _length, line, column) {
        const fault = `${toWords(printParseErrorCode(error))} ${at(line, column)}`
        throw invalidTemplate('malformed_json', `The template is not valid JSON: ${fault}.`)
      },
    },
    { disallowComments: true },
  )
  if (objects.faults.length > 0) throw new InvalidTemplate(objects.faults)
  return strings
}

/** Tracks the keys of the open objects, innermost last. An open list is undefined. */
function trackObjects() {
  const open: (Set<string> | undefined)[] = []
  const faults: TemplateFault[] = []
  const requireRoot = () => {
    if (open.length === 0) throw invalidTemplate('not_an_object', 'The template must be a JSON object.')
  }
  return {
    faults,
    requireRoot,
    begin(keys: Set<string> | undefined, line: number, column: number) {
      if (keys === undefined) requireRoot()
      // The parser is recursive, so the limit also protects its stack.
      if (open.length >= templateDepthMax) {
        const message = `The template is nested more than ${templateDepthMax} levels deep ${at(line, column)}.`
        throw invalidTemplate('too_deep', message)
      }
      open.push(keys)
    },
    addKey(key: string, path: () => JSONPath) {
      const keys = open.at(-1)
      if (keys?.has(key)) {
        const message = `The template has the key ${JSON.stringify(key)} twice in the object at ${inQuotes(path())}.`
        faults.push({ code: 'duplicate_key', message })
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
  const pointer = path.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return JSON.stringify(pointer)
}
