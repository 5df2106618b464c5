/**
 * Compiles and renders body templates. A template is a JSON document whose strings refer to the details of a
 * notification by `$path` or `${path}`. Everything else is posted exactly as written, including spaces, digits and the
 * order of keys: rendering replaces the references in the text of the template and never serializes the document.
 *
 *   {"n": 1.0, "state": "$alert.state", "text": "${alert.state}: $rule.name"}
 *   {"n": 1.0, "state": "firing",       "text": "firing: Checkout is slow"}
 */
import {
  InvalidTemplate,
  inQuotes,
  offsetIn,
  positionOf,
  readStrings,
  type StringValue,
  type TemplateFault,
  templateFaultsMax,
} from './template-document.ts'
import { type AlertContext, templateVariables, type VariablePath } from './template-variables.ts'

interface Reference {
  readonly namespace: string
  /** Undefined for a variable outside any namespace. */
  readonly leaf: string | undefined
  /** A `value` replaces a whole string and keeps its type. A `text` is part of a string. */
  readonly form: 'value' | 'text'
}

/** JSON text that is posted unchanged, or a reference. */
type Part = string | Reference

/** A valid template. */
export interface Template {
  readonly parts: readonly Part[]
}

/** Maximum length of a body. It stops a large template that refers to a long value thousands of times. */
export const renderedCharsMax = 1_048_576

/** Compiles a template. @throws InvalidTemplate with all faults, up to `templateFaultsMax` */
export function compileTemplate(text: string): Template {
  const parts: Part[] = []
  const faults: TemplateFault[] = []
  let written = 0
  for (const string of readStrings(text)) {
    const pieces = readPieces(string, text, faults)
    if (pieces.every((piece) => typeof piece === 'string')) continue
    parts.push(text.slice(written, string.start), ...compilePieces(pieces))
    written = string.end
  }
  if (faults.length > 0) throw new InvalidTemplate(faults)
  return { parts: joinTexts([...parts, text.slice(written)]) }
}

/** A piece of a string: literal text, or the path of a variable. */
type Piece = string | { readonly path: VariablePath }

/** Matches the longest path, with or without braces, and an opening brace without a path, which is a fault. */
const referencePattern =
  /\$(?:(?<bare>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|\{(?:(?<braced>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\})?)/g

/** Splits a string into pieces: `a $alert.state` -> `a `, `alert.state`. A `$` that starts no path is literal text. */
function readPieces(string: StringValue, text: string, faults: TemplateFault[]): readonly Piece[] {
  const { value, path } = string
  const pieces: Piece[] = []
  let read = 0
  for (const match of value.matchAll(referencePattern)) {
    const name = match.groups?.bare ?? match.groups?.braced
    if (name === undefined || !isVariable(name)) {
      if (faults.length === templateFaultsMax) return []
      const position = positionOf(text, offsetIn(text, string, match.index))
      faults.push({ ...(name === undefined ? malformedReference(path) : unknownVariable(name, path)), position })
    } else pieces.push(value.slice(read, match.index), { path: name })
    read = match.index + match[0].length
  }
  return [...pieces, value.slice(read)].filter((piece) => piece !== '')
}

function isVariable(name: string): name is VariablePath {
  return Object.hasOwn(templateVariables, name)
}

function unknownVariable(name: string, path: StringValue['path']): TemplateFault {
  const named = `The template refers to ${JSON.stringify(name)} at ${inQuotes(path)}, which is not a variable.`
  const message = `${named} GET /api/v1/alerting/template-context-schema lists the variables.`
  return { code: 'unknown_variable', message }
}

function malformedReference(path: StringValue['path']): TemplateFault {
  const message = `The template has a "\${" at ${inQuotes(path)} that is not closed by "}" after one path.`
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

/** Returns the JSON document of one notification. @throws Error if the document would be too large */
export function renderTemplate({ parts }: Template, context: AlertContext): string {
  let body = ''
  for (const part of parts) {
    body += typeof part === 'string' ? part : renderReference(part, context)
    if (body.length > renderedCharsMax) throw new Error(`The body would exceed ${renderedCharsMax} characters.`)
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

/** Matches text that needs no escaping. The test is faster than serializing the text. */
const plainPattern = /^[ !#-[\]-~]*$/

/** Returns a text as it appears between the quotes of a JSON string. */
function escaped(text: string): string {
  return plainPattern.test(text) ? text : JSON.stringify(text).slice(1, -1)
}
