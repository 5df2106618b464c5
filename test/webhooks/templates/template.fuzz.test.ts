import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compileTemplate, renderTemplate } from '../../../server/webhooks/templates/template.ts'
import { InvalidTemplate } from '../../../server/webhooks/templates/template-document.ts'
import {
  type AlertContext,
  sampleContext,
  templateVariables,
} from '../../../server/webhooks/templates/template-variables.ts'
import { casesOf } from '../../support/fuzz-settings.ts'

/** A failure prints the seed and the path that `fc.assert` accepts to repeat it. */
const runs = { numRuns: casesOf('templates') }

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '"',
    '\\',
    '","x":"',
    '"}',
    '\\u0000',
    '\u0000',
    '\n',
    '\ud800',
    '\udc00',
    '$alert.id',
    '${',
    '}}',
    '\u2028',
    '</script>',
  ),
)

const paths = Object.keys(templateVariables)

/** Contexts with a value of the right type for every variable, or without some sections. */
const contexts: fc.Arbitrary<AlertContext> = fc
  .tuple(
    fc.array(hostile, { minLength: 40, maxLength: 40 }),
    fc.subarray(['check', 'service', 'integration']),
    fc.double(),
  )
  .map(([texts, absent, number]) => {
    const context: Record<string, Record<string, unknown> | unknown> = {}
    paths.forEach((path, index) => {
      const { type } = templateVariables[path as keyof typeof templateVariables]
      const text = texts[index]
      const value = {
        string: text,
        number,
        integer: index,
        boolean: true,
        array: [text, text],
        object: { [text ?? '']: text },
      }[type]
      const [namespace = '', leaf] = path.split('.')
      context[namespace] = leaf === undefined ? value : { ...(context[namespace] ?? {}), [leaf]: value }
    })
    for (const namespace of absent) delete context[namespace]
    return context as unknown as AlertContext
  })

const references = fc.constantFrom(...paths).chain((path) => fc.constantFrom(`$${path}`, `\${${path}}`))

/** Texts whose only `$` are those of references. */
const texts = fc
  .array(
    fc.oneof(
      references,
      hostile.map((text) => text.replaceAll('$', '')).filter((text) => !/\p{Cs}/u.test(text)),
    ),
  )
  .map((parts) => parts.join(' '))

const { document } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    texts,
    references,
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    tie('object'),
    fc.array(tie('value')),
  ),
  object: fc.dictionary(fc.string(), tie('value')),
  document: tie('object'),
}))

function render(template: string, context: AlertContext): unknown {
  return JSON.parse(renderTemplate(compileTemplate(template), context))
}

/** The reference implementation: it substitutes variables in the parsed document. */
function expected(node: unknown, context: AlertContext): unknown {
  if (typeof node === 'string') return expectedText(node, context)
  if (Array.isArray(node)) return node.map((item) => expected(item, context))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, expected(value, context)]))
}

function expectedText(text: string, context: AlertContext): unknown {
  const look = (path: string): unknown => {
    const [namespace = '', leaf = ''] = path.split('.')
    const section = (context as unknown as Record<string, Record<string, unknown>>)[namespace]
    return path === 'sent_at' ? section : section?.[leaf]
  }
  const whole = paths.find((path) => text === `$${path}` || text === `\${${path}}`)
  if (whole !== undefined) return JSON.parse(JSON.stringify(look(whole) ?? null))
  return text.replace(/\$\{([\w.]+)\}|\$([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)/g, (_, braced?: string, bare?: string) => {
    const value = look(braced ?? bare ?? '') ?? ''
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}

it('a rendered template is JSON that equals the document with its references substituted', () => {
  const property = fc.property(document, contexts, (tree, context) => {
    const template = JSON.stringify(tree)
    fc.pre(Buffer.byteLength(template) <= 32_768)
    expect(render(template, context)).toEqual(expected(JSON.parse(template), context))
  })
  fc.assert(property, runs)
})

it('the structure of a body does not depend on the values', () => {
  const shape = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(shape)
    if (typeof node === 'object' && node !== null)
      return Object.entries(node).map(([key, value]) => [key, shape(value)])
    return typeof node
  }
  const property = fc.property(contexts, contexts, (left, right) => {
    const template = JSON.stringify({
      'a"b': paths.map((path) => `x $${path} \${${path}}`),
      c: { d: '$alert.summary' },
    })
    expect(shape(render(template, left))).toEqual(shape(render(template, right)))
  })
  fc.assert(property, runs)
})

it('a template without references is rendered byte for byte', () => {
  const values = fc
    .jsonValue({ stringUnit: 'grapheme' })
    .map((value) => JSON.stringify({ value }, null, 1).replaceAll('$', ''))
  const property = fc.property(values, (template) => {
    fc.pre(Buffer.byteLength(template) <= 32_768 && isUnique(template))
    expect(renderTemplate(compileTemplate(template), sampleContext)).toBe(template)
  })
  fc.assert(property, runs)
})

/** Reports whether removing every `$` left the keys distinct. */
function isUnique(template: string): boolean {
  return JSON.stringify(JSON.parse(template), null, 1) === template
}

it('the parser accepts the texts that JSON.parse accepts', () => {
  const whole = '{"a":[1,-2.5e+3,true,null,"x\\n\\u00e9"],"b":{"c":"","d":[]}}'
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '0',
    '1',
    '.',
    'e',
    '-',
    '+',
    '/',
    '*',
    'u',
    't',
    ' ',
    '\n',
    '\u00a0',
    '\u0000',
    '\ufeff',
    '\u2028',
  )
  const property = fc.property(fc.nat(whole.length), fc.nat(3), pieces, (at, removed, inserted) => {
    const text = whole.slice(0, at) + inserted + whole.slice(at + removed)
    expect([text, isTaken(text)]).toEqual([text, isJsonObject(text)])
  })
  fc.assert(property, { numRuns: 10 * runs.numRuns })
})

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function isTaken(text: string): boolean {
  try {
    compileTemplate(text)
    return true
  } catch (error) {
    if (error instanceof InvalidTemplate) return false
    throw error
  }
}
