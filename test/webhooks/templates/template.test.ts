import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compileTemplate, renderedCharsMax, renderTemplate } from '../../../server/webhooks/templates/template.ts'
import { InvalidTemplate } from '../../../server/webhooks/templates/template-document.ts'
import { type AlertContext, sampleContext } from '../../../server/webhooks/templates/template-variables.ts'

const variables = 'GET /api/v1/alerting/template-context-schema lists the variables.'

function render(template: string, context: AlertContext = sampleContext): string {
  return renderTemplate(compileTemplate(template), context)
}

/** Returns what the faults of a template are before: the rest of the template from each position. */
function faultyRests(template: string): string[] {
  try {
    compileTemplate(template)
  } catch (error) {
    if (!(error instanceof InvalidTemplate)) throw error
    return error.faults.map(({ position }) => (position === undefined ? '' : [...template].slice(position).join('')))
  }
  return []
}

function faultsOf(template: string): unknown[] {
  try {
    compileTemplate(template)
  } catch (error) {
    if (error instanceof InvalidTemplate) return error.faults.map(({ code, message }) => `${code}: ${message}`)
    throw error
  }
  return []
}

const { alert, rule, org, sent_at, include } = sampleContext
const withoutSections: AlertContext = { alert, rule, org, sent_at, include }

describe('references', () => {
  it.each([
    ['{"a":"$alert.state"}', '{"a":"firing"}'],
    ['{"a":"${alert.state}"}', '{"a":"firing"}'],
    ['{"a":"${alert.state}s"}', '{"a":"firings"}'],
    ['{"a":"$alert.state."}', '{"a":"firing."}'],
    ['{"a":"$alert.state..id"}', '{"a":"firing..id"}'],
    ['{"a":"$alert.state-$rule.threshold"}', '{"a":"firing-500"}'],
    ['{"a":"$$alert.state"}', '{"a":"$firing"}'],
    ['{"a":"$alert.state$alert.state"}', '{"a":"firingfiring"}'],
    ['{"a":"${alert.state}${alert.state}"}', '{"a":"firingfiring"}'],
    ['{"a":"\\u0024alert.state"}', '{"a":"firing"}'],
    ['{"a":["$rule.threshold",{"b":"$include.link"}]}', '{"a":[500,{"b":true}]}'],
    ['{"a":"$sent_at"}', '{"a":"2026-03-01T09:00:01.250Z"}'],
  ])('%s renders as %s', (template, body) => expect(render(template)).toBe(body))

  it.each(['$', '$5', '$ alert.state', '$.alert', '$-', 'a$', '$$', '€alert.state', '$é', '{alert.state}', '$}'])(
    'a $ that starts no path is literal: %s',
    (text) => expect(render(JSON.stringify({ a: text }))).toBe(JSON.stringify({ a: text })),
  )

  it.each([
    '${',
    '${}',
    '${alert.state',
    '${ alert.state}',
    '${alert.state }',
    '${alert.state.}',
    '${alert.state|x}',
    '${5}',
    '${{alert.state}}',
  ])('braces without exactly one path are refused: %s', (text) =>
    expect(faultsOf(JSON.stringify({ a: [text] }))).toEqual([
      expect.stringMatching(/^malformed_reference: .*"\/a\/0"/),
    ]),
  )

  it.each([
    ['$alert.states', 'alert.states'],
    ['${alert.states}', 'alert.states'],
    ['$alert.state.x', 'alert.state.x'],
    ['$service.metadata.version', 'service.metadata.version'],
    ['$alert', 'alert'],
    ['$alert.', 'alert'],
    ['$check', 'check'],
    ['$Alert.state', 'Alert.state'],
    ['$sent_at_', 'sent_at_'],
    ['$toString', 'toString'],
    ['$__proto__', '__proto__'],
    ['$alert.constructor', 'alert.constructor'],
    ['x $_ y', '_'],
  ])('%s is refused with the unknown path %s', (text, path) =>
    expect(faultsOf(JSON.stringify({ 'x/y': text }))).toEqual([
      `unknown_variable: The template refers to "${path}" at "/x~1y", which is not a variable. ${variables}`,
    ]),
  )

  it.each([
    ['{"💳é": "x $alert.states y"}', ['$alert.states y"}']],
    ['{"a": "\\u00e9\\n💳 ${", "b": ["\\u0024x"]}', ['${", "b": ["\\u0024x"]}', '\\u0024x"]}']],
    ['{"💳": }', ['}']],
    ['{"a":1,"b":2,"a":3}', ['"a":3}']],
    [' [1]', ['[1]']],
    [`{"a":${'['.repeat(64)}`, ['[']],
    ['{"💳":"\ud800"}', ['\ud800"}']],
    ['{"💳":"\\ud83d\\udca5\\ud800"}', ['\\ud800"}']],
    ['{"💳\\ud800":1}', ['\\ud800":1}']],
    [`{"a":"${'x'.repeat(32_768)}"}`, ['']],
  ])('the position of a fault is the character where it begins: %s', (template, rests) => {
    expect(faultyRests(template)).toEqual(rests)
  })

  it('up to twenty faults are reported together', () => {
    expect(faultsOf('{"a":"$x $y","b":"${","c":"$z"}')).toHaveLength(4)
    expect(faultsOf(JSON.stringify({ a: '$x '.repeat(100) }))).toHaveLength(20)
    expect(faultsOf(`{${'"a":1,'.repeat(100)}"b":1}`)).toHaveLength(20)
  })

  it('keys are neither substituted nor checked', () => {
    const template = '{"$alert.state":1,"${":2,"$nothing":{"$x.y":"$alert.state"}}'
    expect(render(template)).toBe('{"$alert.state":1,"${":2,"$nothing":{"$x.y":"firing"}}')
  })
})

describe('values', () => {
  it('a whole value keeps its type', () => {
    expect(
      JSON.parse(
        render(
          '{"s":"$alert.state","n":"$check.value","i":"$service.error_count","b":"$include.link",' +
            '"l":"$service.facets","o":"$service.metadata"}',
        ),
      ),
    ).toEqual({
      s: 'firing',
      n: 912.4,
      i: 17,
      b: true,
      l: ['core', 'http-input', 'db-output'],
      o: { 'deployment.environment.name': 'production', 'service.version': '2.4.1' },
    })
  })

  it('in a text, values other than strings are compact JSON', () => {
    expect(JSON.parse(render('{"a":"$check.value|$include.link|$service.facets|$service.metadata|"}')).a).toBe(
      '912.4|true|["core","http-input","db-output"]|' +
        '{"deployment.environment.name":"production","service.version":"2.4.1"}|',
    )
  })

  it('a missing value is null if it is the whole string, and empty within text', () => {
    const template =
      '{"a":"$check.value","b":"[$check.value]","c":"$service.metadata","d":"${integration.name}!",' +
      '"e":"$alert.resolved_at","f":"$alert.resolved_at."}'
    expect(render(template, withoutSections)).toBe('{"a":null,"b":"[]","c":null,"d":"!","e":null,"f":"."}')
  })
})

describe('literals', () => {
  it.each([
    '{"a":1.0,"b":1e400,"c":12345678901234567890,"d":-0,"e":1E+2}',
    '{"2":1,"1":2,"__proto__":3,"constructor":{"__proto__":null}}',
    '{"a":"\\u00e9\\/\\ud83d\\udca5","\\u0061b":true}',
    ' {\n\t"a" : [ ] , "b":{ }\r\n}\n',
    '{}',
    `{"a":${'['.repeat(63)}${']'.repeat(63)}}`,
  ])('%s is rendered unchanged', (template) => expect(render(template)).toBe(template))

  it('text around references is rendered unchanged', () => {
    expect(render('{"2":1.0,"1":"$alert.state","__proto__":1e400}')).toBe('{"2":1.0,"1":"firing","__proto__":1e400}')
  })
})

describe('a template', () => {
  it.each([
    '',
    ' ',
    'hello',
    '{',
    '{"a":}',
    '{"a":1,}',
    '{"a":1 "b":2}',
    "{'a':1}",
    '{a:1}',
    '{"a":01}',
    '{"a":+1}',
    '{"a":.5}',
    '{"a":1.}',
    '{"a":NaN}',
    '{"a":tru}',
    '{"a":"\n"}',
    '{"a":"\\x"}',
    '{"a":"\\u12"}',
    '{"a":"',
    '{} {}',
    '{}x',
    '/* c */{}',
    '{}// c',
    '\ufeff{}',
    '{"a":\u00a01}',
    '{"a":[1,]}',
  ])('that is not JSON is refused: %s', (template) =>
    expect(faultsOf(template)).toEqual([expect.stringMatching(/^malformed_json: .* at line \d+, column \d+\.$/)]),
  )

  it.each(['[]', '[{}]', '"x"', '1', 'null', 'true', '['.repeat(32_000)])(
    'whose root is not an object is refused: %.20s',
    (template) => expect(faultsOf(template)).toEqual(['not_an_object: The template must be a JSON object.']),
  )

  it('with a duplicate key is refused, even if the keys are escaped differently', () => {
    expect(faultsOf('{"x":{"a":1,"\\u0061":2},"y":{"a":1}}')).toEqual([
      'duplicate_key: The template has the key "a" twice in the object at "/x".',
    ])
    expect(faultsOf('{"__proto__":1,"__proto__":2}')).toHaveLength(1)
  })

  it('has at most 32,768 bytes in UTF-8', () => {
    const ofSize = (bytes: number) => `{"a":"${'é'.repeat((bytes - 9) / 2)}x"}`
    expect(Buffer.byteLength(ofSize(32_769))).toBe(32_769)
    expect(faultsOf(`{"a":"${'é'.repeat(16_380)}"}`)).toEqual([])
    expect(faultsOf(ofSize(32_769))).toEqual([
      'too_large: The template has 32769 bytes in UTF-8; at most 32768 are allowed.',
    ])
  })

  it('has at most 64 levels, and deeper nesting does not overflow the stack', () => {
    expect(faultsOf(`{"a":${'['.repeat(63)}${']'.repeat(63)}}`)).toEqual([])
    for (const open of ['[', '{"a":']) {
      expect(faultsOf(`{"a":${open.repeat(6_000)}`)).toEqual([expect.stringMatching(/^too_deep/)])
    }
  })

  it.each(['{"a":"\ud800"}', '{"a":["x\\ud800y"]}', '{"a":"\\udca5\\ud83d"}', '{"\\udfff":1}'])(
    'with an unpaired surrogate is refused: %j',
    (template) => expect(faultsOf(template)).toEqual(['malformed_text: The template contains an unpaired surrogate.']),
  )

  it('fails to render a body that would be too large', () => {
    const template = compileTemplate(JSON.stringify({ a: '$alert.summary'.repeat(2_000) }))
    const context = { ...sampleContext, alert: { ...sampleContext.alert, summary: 'x'.repeat(1_000) } }
    expect(() => renderTemplate(template, context)).toThrow(String(renderedCharsMax))
  })
})

it('the example in docs/templates.md renders as documented', () => {
  const page = readFileSync(new URL('../../../docs/templates.md', import.meta.url), 'utf8')
  const [template = '', body] = [...page.matchAll(/^```json\n(.*?)\n```$/gms)].map(([, block]) => block ?? '')
  expect(render(template)).toBe(body)
})
