import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser'

/** What a text that is not JSON lacks, and where. */
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
  EndOfFileExpected: 'expected the end of the body',
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
  let found: JsonFault | undefined
  const stopped = new Error('found')
  try {
    visit(
      text,
      {
        onError(code, offset) {
          found = describe(text, code, offset)
          throw stopped
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    )
  } catch (error) {
    if (error !== stopped) throw error
  }
  return found
}

function describe(text: string, code: ParseErrorCode, offset: number): JsonFault {
  if (text.slice(offset).trim() === '') return { offset: text.trimEnd().length, message: 'the body ends too early' }
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
