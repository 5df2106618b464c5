/**
 * Body templates: a JSON document in whose strings `$path` and `${path}` stand for what a notification says. It is checked and
 * compiled once and rendered many times, always from the text of the template itself: what is no reference is posted as it was
 * written, to the last digit and space, in the order in which it was written.
 *
 *   {"n": 1.0, "state": "$alert.state", "text": "${alert.state}: $rule.name"}
 *   {"n": 1.0, "state": "firing",       "text": "firing: Checkout is slow"}
 */
import { InvalidTemplate, inQuotes, readStrings, type StringValue, type TemplateFault } from './template-document.ts'
import { type AlertContext, templateVariables, type VariablePath } from './template-variables.ts'

interface Reference {
  readonly namespace: string
  /** Undefined for a variable that is in no namespace. */
  readonly leaf: string | undefined
  /** `value`: in the place of a whole string, with its own type. `text`: inside of a string. */
  readonly form: 'value' | 'text'
}

/** JSON text that is posted as it is, and references between. */
type Part = string | Reference

/** A template that breaks no rule. */
export interface Template {
  readonly parts: readonly Part[]
}

/** A template of the largest size may name a long value thousands of times; what comes of that no receiver wants. */
export const renderedCharsMax = 1_048_576

/** More than anyone reads. */
const faultsMax = 20

/** @throws InvalidTemplate with every fault */
export function compileTemplate(text: string): Template {
  const parts: Part[] = []
  const faults: TemplateFault[] = []
  let written = 0
  for (const string of readStrings(text)) {
    const pieces = readPieces(string, faults)
    if (pieces.every((piece) => typeof piece === 'string')) continue
    parts.push(text.slice(written, string.start), ...compilePieces(pieces))
    written = string.end
  }
  if (faults.length > 0) throw new InvalidTemplate(faults.slice(0, faultsMax))
  return { parts: joinTexts([...parts, text.slice(written)]) }
}

/** A piece of a string: what it says itself, or the path of a variable. */
type Piece = string | { readonly path: VariablePath }

const segment = '[A-Za-z_][A-Za-z0-9_]*'

/** The longest run that is a path, in braces or not; or braces around anything else, which is a fault. */
const referencePattern = new RegExp(
  `\\$(?:(?<bare>${segment}(?:\\.${segment})*)|\\{(?:(?<braced>${segment}(?:\\.${segment})*)\\})?)`,
  'g',
)

/** `"a $alert.state"` -> `a `, the path. Other `$` are themselves. */
function readPieces({ value, path }: StringValue, faults: TemplateFault[]): readonly Piece[] {
  const pieces: Piece[] = []
  let read = 0
  for (const match of value.matchAll(referencePattern)) {
    const name = match.groups?.bare ?? match.groups?.braced
    if (name === undefined) faults.push(malformedReference(path))
    else if (!isVariable(name)) faults.push(unknownVariable(name, path))
    else pieces.push(value.slice(read, match.index), { path: name })
    read = match.index + match[0].length
  }
  return [...pieces, value.slice(read)].filter((piece) => piece !== '')
}

function isVariable(name: string): name is VariablePath {
  return Object.hasOwn(templateVariables, name)
}

function unknownVariable(name: string, path: StringValue['path']): TemplateFault {
  return {
    code: 'unknown_variable',
    message: `refers to ${JSON.stringify(name)} at ${inQuotes(path)}, which is no variable`,
  }
}

function malformedReference(path: StringValue['path']): TemplateFault {
  const message = `has at ${inQuotes(path)} a "\${" that does not close with "}" around one path`
  return { code: 'malformed_reference', message }
}

function compilePieces(pieces: readonly Piece[]): readonly Part[] {
  const [first] = pieces
  if (pieces.length === 1 && typeof first === 'object') return [toReference(first.path, 'value')]
  const inside = pieces.map((piece) => (typeof piece === 'string' ? escaped(piece) : toReference(piece.path, 'text')))
  return ['"', ...inside, '"']
}

function toReference(path: VariablePath, form: Reference['form']): Reference {
  const [namespace = '', leaf] = path.split('.')
  return { namespace, leaf, form }
}

function joinTexts(parts: readonly Part[]): readonly Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part
    else joined.push(part)
  }
  return joined
}

/** The JSON document of one notification. Throws when it would be too large, or a value is none of JSON. */
export function renderTemplate({ parts }: Template, context: AlertContext): string {
  let body = ''
  for (const part of parts) {
    body += typeof part === 'string' ? part : renderReference(part, context)
    if (body.length > renderedCharsMax) throw new Error(`the body would have more than ${renderedCharsMax} characters`)
  }
  return body
}

function renderReference(reference: Reference, context: AlertContext): string {
  const value = valueAt(reference, context)
  if (value === undefined || value === null) return reference.form === 'value' ? 'null' : ''
  if (reference.form === 'value') return typeof value === 'string' ? `"${escaped(value)}"` : JSON.stringify(value)
  return escaped(typeof value === 'string' ? value : JSON.stringify(value))
}

function valueAt({ namespace, leaf }: Reference, context: AlertContext): unknown {
  const section = context[namespace as keyof AlertContext] as Readonly<Record<string, unknown>> | string | undefined
  return leaf === undefined || typeof section !== 'object' ? section : section[leaf]
}

/** What JSON writes as it is; telling so is cheaper than writing it. */
const plainPattern = /^[ !#-[\]-~]*$/

/** A text as it stands between the quotes of a JSON string. */
function escaped(text: string): string {
  return plainPattern.test(text) ? text : JSON.stringify(text).slice(1, -1)
}
