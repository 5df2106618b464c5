import { describe, expect, it } from 'vitest'
import type { components } from '../../../openapi/types.ts'
import { type Channel, create, created, put, refusal, template } from '../../support/channel-requests.ts'
import { sharedApp } from '../../support/integration-app.ts'

const newTenant = sharedApp()
const at = '/config/body_template'

const unknown = 'which is not a variable. GET /api/v1/alerting/template-context-schema lists the variables.'

describe('"Errors"', () => {
  it('webhook channel saved with a template that does not parse as JSON: channel rejected on save', async () => {
    expect(await refusal(newTenant(), template('{"a": }'))).toEqual([
      422,
      'refused',
      `${at} malformed_json The template is not valid JSON: value expected at line 1, column 7.`,
    ])
  })

  it('template references an unknown path: rejected on save, naming the path', async () => {
    expect(await refusal(newTenant(), template('{"a": "$alert.states", "b": ["x ${service.metadata.team}"]}'))).toEqual(
      [
        422,
        'refused',
        `${at} unknown_variable The template refers to "alert.states" at "/a", ${unknown}`,
        `${at} unknown_variable The template refers to "service.metadata.team" at "/b/0", ${unknown}`,
      ],
    )
  })

  it('template larger than 32 KB: channel rejected on save', async () => {
    const ofBytes = (bytes: number) => template(`{"a":"${'é'.repeat((bytes - 8) / 2)}"}`)
    expect((await refusal(newTenant(), ofBytes(32_770))).slice(0, 2)).toEqual([422, 'refused'])
    expect((await create(newTenant(), ofBytes(32_768))).status).toBe(201)
  })

  it('body_template set without format equal to template: channel rejected on save', async () => {
    const body_template = '{"a":1}'
    for (const format of [{}, { format: 'json' }, { format: 'cloudevents' }]) {
      expect(await refusal(newTenant(), { ...format, body_template })).toEqual([
        422,
        'refused',
        expect.stringContaining(`${at} format_not_template`),
      ])
    }
    expect(await refusal(newTenant(), { format: 'template' })).toEqual([
      422,
      'refused',
      expect.stringContaining(`${at} required`),
    ])
  })

  it.each(['[]', '"x"', '1', 'null'])('template root is not a JSON object: rejected: %s', async (text) => {
    expect(await refusal(newTenant(), template(text))).toEqual([
      422,
      'refused',
      `${at} not_an_object The template must be a JSON object.`,
    ])
  })

  it('an invalid change of a channel is refused and changes nothing', async () => {
    const tenant = newTenant()
    const { id, version } = await created(tenant, template('{"a":"$alert.id"}'))
    for (const config of [
      { body_template: '{"a":"$x"}' },
      { body_template: null },
      { format: 'json' },
      { format: 'cloudevents' },
    ]) {
      const { status, refusal } = await put(tenant, id, { name: 'Other', config })
      expect([status, refusal]).toEqual([422, ['refused', at]])
    }
    expect((await tenant.ask('GET', `/alerting/channels/${id}`)).body).toMatchObject({ name: 'On-call', version })
    expect((await put(tenant, id, { config: { format: 'json', body_template: null } })).body.config).toMatchObject({
      format: 'json',
    })
  })
})

describe('"Custom body template"', () => {
  const preview = async (body_template: string) =>
    (
      await newTenant().ask<components['schemas']['TemplatePreview']>('POST', '/alerting/templates/preview', {
        body: { body_template },
      })
    ).body

  it('1: the template is returned as it was sent', async () => {
    const text = ' {"b": 1.0, "a": "$alert.id"}\n'
    const tenant = newTenant()
    const { id } = await created(tenant, template(text))
    const { body } = await tenant.ask<Channel>('GET', `/alerting/channels/${id}`)
    expect(body.config).toMatchObject({ format: 'template', body_template: text })
  })

  it('2: substitution always produces valid JSON', async () => {
    const { text, body } = await preview('{"a\\"": "\\"$alert.summary\\" \\\\ ${service.metadata}"}')
    expect(JSON.parse(text)).toEqual(body)
    expect(Object.keys(body)).toEqual(['a"'])
  })

  it('3: $path and ${path} are equivalent, and braces end a path', async () => {
    expect((await preview('{"a":"$alert.state","b":"${alert.state}","c":"${alert.state}s"}')).body).toEqual({
      a: 'firing',
      b: 'firing',
      c: 'firings',
    })
  })

  it('4: a whole value keeps its type, and a missing value is null', async () => {
    expect((await preview('{"a":"$check.value","b":"$service.facets","c":"$alert.resolved_at"}')).body).toEqual({
      a: 912.4,
      b: ['core', 'http-input', 'db-output'],
      c: null,
    })
  })

  it('5: values within a text become text, and a missing value is empty', async () => {
    expect((await preview('{"a":"<$check.value|$alert.resolved_at>"}')).body).toEqual({ a: '<912.4|>' })
  })

  it('6: keys and literals are unchanged', async () => {
    const text = '{"$alert.id": 1.0, "2": 1e400, "1": 12345678901234567890, "__proto__": [true, null, "$5"]}'
    expect((await preview(text)).text).toBe(text)
  })

  it('7: a preview refuses what a save refuses', async () => {
    const { status, refusal } = await newTenant().ask('POST', '/alerting/templates/preview', {
      body: { body_template: '{"a":"$alert.states"}' },
    })
    expect([status, refusal]).toEqual([422, ['refused', '/body_template']])
  })

  it('8: one setting selects the template, CloudEvents or the canonical payload', async () => {
    const tenant = newTenant()
    const { id } = await created(tenant, { format: 'cloudevents' })
    expect((await put(tenant, id, { config: template('{}') })).body.config.format).toBe('template')
    expect((await put(tenant, id, { config: { format: 'xml' } })).status).toBe(400)
  })
})

it('the template context schema lists every path with its type, its condition and a sample', async () => {
  const { body } = await newTenant().ask<components['schemas']['TemplateVariablePage']>(
    'GET',
    '/alerting/template-context-schema',
  )
  expect(body.next_cursor).toBeNull()
  expect(body.items).toContainEqual(
    expect.objectContaining({ path: 'check.value', type: 'number', when: 'for metric checks', sample: 912.4 }),
  )
  const previewed = await newTenant().ask<components['schemas']['TemplatePreview']>(
    'POST',
    '/alerting/templates/preview',
    {
      body: { body_template: JSON.stringify(Object.fromEntries(body.items.map(({ path }) => [path, `$${path}`]))) },
    },
  )
  expect(previewed.body.body).toEqual(Object.fromEntries(body.items.map(({ path, sample }) => [path, sample])))
})
