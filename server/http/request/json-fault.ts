import { type JSONVisitor, type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser'

/** What is wrong with a JSON text, and where. */
export interface JsonFault {
  /** In UTF-16 code units. */
  readonly offset: number
  /** For example `expected a value`. */
  readonly message: string
}

const messages: Readonly<Record<string, string>> = {
  InvalidNumberFormat: 'this is not a JSON number',
  PropertyNameExpected: 'expected a field name in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected a colon after the field name',
  CommaExpected: 'expected a comma',
  CloseBraceExpected: 'expected a closing brace }',
  CloseBracketExpected: 'expected a closing bracket ]',
  EndOfFileExpected: 'expected the end of the text',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfComment: 'JSON has no comments',
  UnexpectedEndOfString: 'this string has no closing quote',
  UnexpectedEndOfNumber: 'this number has no digits at its end',
  InvalidUnicode: 'expected four hexadecimal digits after \\u',
  InvalidEscapeCharacter: 'JSON has no such escape sequence',
  InvalidCharacter: 'a control character in a string must be escaped',
}

/**
 * Finds the first fault of a text that `JSON.parse` refuses. The nesting of the text must be bounded, because the
 * parser recurses.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  return firstFault(text, (found) => ({ onError: (code, offset) => found(describe(text, code, offset)) }))
}

/** Finds the first field of a JSON text that its object already has. The nesting must be bounded as above. */
export function findRepeatedField(text: string): JsonFault | undefined {
  const objects: Set<string>[] = []
  return firstFault(text, (found) => ({
    onObjectBegin: () => void objects.push(new Set()),
    onObjectEnd: () => void objects.pop(),
    onObjectProperty(name, offset) {
      const names = objects.at(-1) as Set<string>
      if (names.has(name)) found({ offset, message: 'the object already has a field with this name' })
      names.add(name)
    },
  }))
}

function firstFault(text: string, visitor: (found: (fault: JsonFault) => never) => JSONVisitor): JsonFault | undefined {
  let first: JsonFault | undefined
  const stopped = new Error('found')
  const found = (fault: JsonFault): never => {
    first = fault
    throw stopped
  }
  try {
    visit(text, visitor(found), { disallowComments: true, allowTrailingComma: false })
  } catch (error) {
    if (error !== stopped) throw error
  }
  return first
}

function describe(text: string, code: ParseErrorCode, offset: number): JsonFault {
  if (text.slice(offset).trim() === '') return { offset: text.trimEnd().length, message: 'the text ends too early' }
  const character = text[offset]
  if (character === "'") return { offset, message: 'JSON strings have double quotes, not single ones' }
  const [word] = /^[\w$.+-]{1,40}/.exec(text.slice(offset, offset + 40)) ?? []
  if (printParseErrorCode(code) === 'InvalidSymbol' && word !== undefined)
    return { offset, message: `${word} is not JSON, where strings and field names have double quotes` }
  const before = text.slice(0, offset).trimEnd()
  if (before.endsWith(',') && (character === ']' || character === '}'))
    return { offset: before.length - 1, message: `JSON has no comma before a closing ${character}` }
  return { offset, message: messages[printParseErrorCode(code)] ?? 'this is not JSON' }
}
