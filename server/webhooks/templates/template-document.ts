import { type JSONPath, printParseErrorCode, visit } from 'jsonc-parser'

/** One reason why a body template is refused; the message goes on from the words "the template". */
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

/** The template breaks a rule. Carries every fault that was found. */
export class InvalidTemplate extends Error {
  readonly faults: readonly TemplateFault[]

  constructor(faults: readonly TemplateFault[]) {
    super(`the template ${faults[0]?.message ?? 'is not valid'}`)
    this.name = 'InvalidTemplate'
    this.faults = faults
  }
}

function invalidTemplate(code: TemplateFault['code'], message: string): InvalidTemplate {
  return new InvalidTemplate([{ code, message }])
}

/** A string of a document that is no key: where its text stands, quotes included, and what it says. */
export interface StringValue {
  readonly start: number
  readonly end: number
  readonly value: string
  readonly path: JSONPath
}

/** 32 KB: of `body_template` in UTF-8. */
const templateBytesMax = 32_768

/** Levels of lists and objects inside each other; parsers of receivers commonly stop there too. */
const templateDepthMax = 64

/**
 * The strings of a JSON document that are no keys, in the order in which they stand.
 * @throws InvalidTemplate unless the text is strictly JSON, an object, of the sizes above, and no object has a key twice
 */
export function readStrings(text: string): readonly StringValue[] {
  const bytes = Buffer.byteLength(text)
  if (bytes > templateBytesMax)
    throw invalidTemplate('too_large', `has ${bytes} bytes in UTF-8, and ${templateBytesMax} is the most`)
  if (/\p{Cs}/u.test(text)) throw invalidTemplate('malformed_text', 'holds half of a surrogate pair')
  const strings: StringValue[] = []
  const objects = createObjectWatch()
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
        throw invalidTemplate(
          'malformed_json',
          `is not JSON: ${inWords(printParseErrorCode(error))} ${at(line, column)}`,
        )
      },
    },
    { disallowComments: true },
  )
  if (objects.faults.length > 0) throw new InvalidTemplate(objects.faults)
  return strings
}

/** The lists and objects around the place that is being read, innermost last. Lists have no keys. */
function createObjectWatch() {
  const open: (Set<string> | undefined)[] = []
  const faults: TemplateFault[] = []
  const requireRoot = () => {
    if (open.length === 0) throw invalidTemplate('not_an_object', 'must be a JSON object')
  }
  return {
    faults,
    requireRoot,
    begin(keys: Set<string> | undefined, line: number, column: number) {
      if (keys === undefined) requireRoot()
      // The parser calls itself for every level, so the limit is also what keeps it on its stack.
      if (open.length >= templateDepthMax)
        throw invalidTemplate('too_deep', `is nested more than ${templateDepthMax} deep ${at(line, column)}`)
      open.push(keys)
    },
    addKey(key: string, path: () => JSONPath) {
      const keys = open.at(-1)
      if (keys?.has(key)) {
        const message = `has the key ${JSON.stringify(key)} twice in the object at ${inQuotes(path())}`
        faults.push({ code: 'duplicate_key', message })
      }
      keys?.add(key)
    },
    end: () => void open.pop(),
  }
}

/** `CommaExpected` -> `comma expected`. */
function inWords(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
}

function at(line: number, column: number): string {
  return `at line ${line + 1}, column ${column + 1}`
}

/** A place in the document as a JSON pointer (RFC 6901); `""` is the whole of it. */
export function inQuotes(path: JSONPath): string {
  const pointer = path.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return JSON.stringify(pointer)
}
