import { expect, it } from 'vitest'
import { responseDocument } from '../../../server/http/derived-documents.ts'
import { readDocument } from '../../../server/http/document.ts'
import { schemaKey, strictAjv } from '../../../server/http/response-check.ts'
import { createBodyRenderer } from '../../../server/webhooks/formats/formats.ts'
import type { Notification } from '../../../server/webhooks/formats/json-format.ts'
import { type AlertContext, sampleContext } from '../../../server/webhooks/templates/template-variables.ts'

const ajv = strictAjv(responseDocument(readDocument()))
const render = createBodyRenderer()
const resolved = {
  ...sampleContext,
  alert: { ...sampleContext.alert, state: 'resolved', resolved_at: '2026-03-01T09:10:00.000Z' },
} as const
const bare: AlertContext = (({ check: _, service: __, integration: ___, ...rest }) => rest)(sampleContext)
const nothing = { link: false, summary: false, service: false, integration: false, check: false }

const notifications: readonly Notification[] = [
  { id: '01JNB4Y8Z5A7C9E1G3J5M7P9RT', event: 'firing', context: sampleContext },
  { id: '01JNB4Y8Z5A7C9E1G3J5M7P9RV', event: 'resolved', context: resolved },
  { id: '01JNB4Y8Z5A7C9E1G3J5M7P9RW', event: 'test', context: bare },
  { id: '01JNB4Y8Z5A7C9E1G3J5M7P9RX', event: 'firing', context: { ...sampleContext, include: nothing } },
]

function parsed(format: 'json' | 'cloudevents', notification: Notification) {
  return JSON.parse(render({ format, bodyTemplate: null }, notification).text)
}

it.each([
  ['json', 'AlertPayload', 'application/json'],
  ['cloudevents', 'AlertCloudEvent', 'application/cloudevents+json'],
] as const)(
  'the body of the format %s fits the schema %s of the document and holds nothing that it does not name',
  (format, schema, type) => {
    const validate = ajv.getSchema(schemaKey(`#/components/schemas/${schema}`))
    for (const notification of notifications) {
      expect(render({ format, bodyTemplate: null }, notification).contentType).toBe(type)
      expect([validate?.(parsed(format, notification)), validate?.errors]).toEqual([true, null])
    }
  },
)

it('the data of both say what the variables of a template say, under the same names', () => {
  const { sent_at, include: _, ...data } = sampleContext
  const [firing] = notifications
  if (!firing) throw new Error('There is no notification.')
  expect(parsed('json', firing)).toEqual({ type: 'alert.firing', timestamp: sent_at, data })
  expect(parsed('cloudevents', firing)).toEqual({
    ...{ specversion: '1.0', id: firing.id, type: 'io.tracefold.alert.firing', subject: data.alert.id, time: sent_at },
    ...{ source: `urn:tracefold:acme:rule:${data.rule.id}`, datacontenttype: 'application/json', data },
  })
})

it('what does not apply and what the rule does not ask for is left out', () => {
  const { alert, rule, org } = sampleContext
  const { link, summary, ...facts } = alert
  expect(notifications.slice(2).map((notification) => parsed('json', notification).data)).toEqual([
    { alert: { ...facts, link, summary }, rule, org },
    { alert: facts, rule, org },
  ])
})

it('"Custom body template" 8: a custom body stands in the place of the canonical payload, not in it', () => {
  const [firing] = notifications
  const body = firing && render({ format: 'template', bodyTemplate: ' {"a": 1.0, "b": "$alert.id"}' }, firing)
  expect(body).toEqual({ contentType: 'application/json', text: ` {"a": 1.0, "b": "${sampleContext.alert.id}"}` })
})

it.each([
  ['no longer one that a save would take', '{"a":"$alert.gone"}', 'alert.gone'],
  ['damaged', '{"a":', 'not JSON'],
  ['absent', null, 'not JSON'],
  ['too long when it is filled in', JSON.stringify({ a: '$alert.summary'.repeat(2_300) }), '1048576'],
])(
  '"Custom body template" 10: the canonical payload is posted, with the reason, when the template is %s',
  (_, bodyTemplate, reason) => {
    const context = { ...sampleContext, alert: { ...sampleContext.alert, summary: 'x'.repeat(500) } }
    const notification: Notification = { id: 'x', event: 'firing', context }
    const { templateError, ...body } = render({ format: 'template', bodyTemplate }, notification)
    expect(body).toEqual(render({ format: 'json', bodyTemplate: null }, notification))
    expect(templateError).toContain(reason)
    expect(templateError?.length).toBeLessThan(300)
  },
)

it('keeps the templates that are in use compiled, and renders more of them than it keeps', () => {
  const [firing] = notifications
  for (let round = 0; round < 2; round += 1) {
    for (let number = 0; number < 600; number += 1) {
      const bodyTemplate = `{"n":${number},"s":"$alert.state"}`
      expect(firing && render({ format: 'template', bodyTemplate }, firing).text).toBe(`{"n":${number},"s":"firing"}`)
    }
  }
})
