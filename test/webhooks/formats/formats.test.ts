import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { responseDocument } from '../../../server/http/contract/derived-documents.ts'
import { readDocument } from '../../../server/http/contract/document.ts'
import { schemaKey, strictAjv } from '../../../server/http/response/response-check.ts'
import { renderBody, webhookFormats } from '../../../server/webhooks/formats/formats.ts'
import type { Notification } from '../../../server/webhooks/formats/webhook-format.ts'
import { type AlertContext, sampleContext } from '../../../server/webhooks/templates/template-variables.ts'

const ajv = strictAjv(responseDocument(readDocument()))
const resolved = {
  ...sampleContext,
  alert: { ...sampleContext.alert, state: 'resolved', resolved_at: '2026-03-01T09:10:00.000Z' },
} as const
const { alert: sampleAlert, rule, org, sent_at, include } = sampleContext
const nothing = { link: false, summary: false, service: false, integration: false, check: false }

const firing: Notification = { id: '01JNB4Y8Z5A7C9E1G3J5M7P9RT', event: 'firing', context: sampleContext }
const withoutSections: AlertContext = { alert: sampleAlert, rule, org, sent_at, include }
const notifications: readonly Notification[] = [
  firing,
  { id: '01JNB4Y8Z5A7C9E1G3J5M7P9RV', event: 'resolved', context: resolved },
  { id: '01JNB4Y8Z5A7C9E1G3J5M7P9RW', event: 'test', context: withoutSections },
  { id: '01JNB4Y8Z5A7C9E1G3J5M7P9RX', event: 'firing', context: { ...sampleContext, include: nothing } },
]

function parsed(format: 'json' | 'cloudevents', notification: Notification) {
  return JSON.parse(renderBody({ format, bodyTemplate: null }, notification).text)
}

describe('every format', () => {
  it('is in the OpenAPI document, and the document has no other', () => {
    expect(readDocument().components.schemas?.ChannelFormat).toMatchObject({ enum: Object.keys(webhookFormats) })
  })

  it.each(Object.entries(webhookFormats))(
    'is described with its content type in docs/webhooks.md: %s',
    (name, { contentType }) => {
      const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')
      expect(page).toContain(`| \`${name}\` | \`${contentType}\` |`)
    },
  )
})

it.each([
  ['json', 'AlertPayload', 'application/json'],
  ['cloudevents', 'AlertCloudEvent', 'application/cloudevents+json'],
] as const)('the body in the format %s conforms to the schema %s and has no other fields', (format, schema, type) => {
  const validate = ajv.getSchema(schemaKey(`#/components/schemas/${schema}`))
  for (const notification of notifications) {
    expect(renderBody({ format, bodyTemplate: null }, notification).contentType).toBe(type)
    expect([validate?.(parsed(format, notification)), validate?.errors]).toEqual([true, null])
  }
})

it('json and cloudevents contain the variables of templates under the same names', () => {
  const { sent_at, include, ...data } = sampleContext
  expect(Object.values(include)).not.toContain(false)
  expect(parsed('json', firing)).toEqual({ type: 'alert.firing', timestamp: sent_at, data })
  expect(parsed('cloudevents', firing)).toEqual({
    specversion: '1.0',
    id: firing.id,
    source: `urn:tracefold:acme:rule:${data.rule.id}`,
    type: 'io.tracefold.alert.firing',
    subject: data.alert.id,
    time: sent_at,
    datacontenttype: 'application/json',
    data,
  })
})

it('json omits what does not apply to the rule and what the rule does not include', () => {
  const { alert, rule, org } = sampleContext
  const { link, summary, ...details } = alert
  expect(notifications.slice(2).map((notification) => parsed('json', notification).data)).toEqual([
    { alert: { ...details, link, summary }, rule, org },
    { alert: details, rule, org },
  ])
})

it('"Custom body template" 8: the body of a template replaces the canonical body', () => {
  const body = renderBody({ format: 'template', bodyTemplate: ' {"a": 1.0, "b": "$alert.id"}' }, firing)
  expect(body).toEqual({ contentType: 'application/json', text: ` {"a": 1.0, "b": "${sampleContext.alert.id}"}` })
})

it.each([
  ['no longer accepted', '{"a":"$alert.gone"}', 'alert.gone'],
  ['damaged', '{"a":', 'not valid JSON'],
  ['missing', null, 'not valid JSON'],
  ['too large when rendered', JSON.stringify({ a: '$alert.summary'.repeat(2_300) }), '1048576'],
])(
  '"Custom body template" 10: the canonical body is posted, with the reason, if the template is %s',
  (_, bodyTemplate, reason) => {
    const context = { ...sampleContext, alert: { ...sampleContext.alert, summary: 'x'.repeat(500) } }
    const notification: Notification = { id: 'x', event: 'firing', context }
    const { templateError, ...body } = renderBody({ format: 'template', bodyTemplate }, notification)
    expect(body).toEqual(renderBody({ format: 'json', bodyTemplate: null }, notification))
    expect(templateError).toContain(reason)
    expect(templateError?.length).toBeLessThan(300)
  },
)

it('renders more templates than it keeps compiled', () => {
  for (let round = 0; round < 2; round += 1) {
    for (let number = 0; number < 600; number += 1) {
      const bodyTemplate = `{"n":${number},"s":"$alert.state"}`
      expect(renderBody({ format: 'template', bodyTemplate }, firing).text).toBe(`{"n":${number},"s":"firing"}`)
    }
  }
})
