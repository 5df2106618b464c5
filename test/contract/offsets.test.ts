import { expect, it } from 'vitest'
import { nsOfRfc3339 } from '#sql'
import { matcher, sharedApp } from '../support/integration-app.ts'

const newTenant = sharedApp()

/** One instant in different notations. */
const notations = [
  '2026-03-01T09:00:00.25Z',
  '2026-03-01T10:00:00.25+01:00',
  '2026-03-01T03:30:00.250-05:30',
  '2026-03-01T03:30:00.250000-0530',
  '2026-03-01T09:00:00.250000000-00:00',
  '2026-02-28T23:00:00.25-10:00',
  '2026-03-02T08:59:00.25+23:59',
  '2026-03-01t09:00:00.25z',
]

it.each(notations)('%s is read as the same instant as in UTC', (text) => {
  expect(nsOfRfc3339(text)).toBe(1_772_355_600_250_000_000n)
})

it.each([
  '2026-03-01T09:00:00',
  '2026-03-01T09:00:00+1:00',
  '2026-03-01T09:00:00+01',
  '2026-03-01T09:00:00+2400',
  '2026-03-01T09:00:00+24:00',
  '2026-03-01T09:00:00+01:60',
  '2026-03-01T09:00:00Z+01:00',
  '0000-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '9999-12-31T23:59:60Z',
  '2016-12-30T23:59:60Z',
  '2016-12-31T22:59:60Z',
  '2016-12-31T23:58:60Z',
  '2016-12-31T23:59:60+01:00',
  '2016-12-31T23:59:61Z',
  '2016-12-32T23:59:60Z',
])('%s is no timestamp', (text) => {
  expect(nsOfRfc3339(text)).toBeUndefined()
})

it.each(['2016-12-31T23:59:60.25Z', '2016-12-31T15:59:60.25-08:00', '2017-01-01T05:29:60.250+0530'])(
  'the leap second %s is read as the second after it, as in Unix time',
  (text) => {
    expect(nsOfRfc3339(text)).toBe(nsOfRfc3339('2017-01-01T00:00:00.25Z'))
  },
)

it('an operation takes a leap second in a body and in a query', async () => {
  const tenant = newTenant()
  const window = { from: '2016-12-31T23:59:60Z', to: '2017-01-01T00:00:01Z' }
  const summary = 'Messages, from 2017-01-01T00:00:00Z to 2017-01-01T00:00:01Z.'
  expect((await tenant.ask('POST', '/messages/summary', { body: window })).body).toEqual({ summary })
  expect((await tenant.ask('GET', `/services?${new URLSearchParams(window)}`)).status).toBe(200)
})

it('the first and the last instant that UTC can write are read', () => {
  expect(nsOfRfc3339('0000-01-01T00:01:00+00:01')).toBe(-62_167_219_200_000_000_000n)
  expect(nsOfRfc3339('9999-12-31T23:58:59.999999999-00:01')).toBe(253_402_300_799_999_999_999n)
})

it.each(notations)('every operation with a window in its body takes %s', async (from) => {
  const tenant = newTenant()
  const window = { from, to: '2026-03-01T12:00:00+01:00' }
  const { id } = await tenant.create({ matchers: [matcher('shop')] })
  const bodies = {
    '/messages/search': window,
    '/messages/count': window,
    '/logs/search': window,
    '/integrations/preview': { matchers: [matcher('shop')], ...window },
    '/metrics/points/search': { metric: 'requests', ...window },
  }
  for (const [path, body] of Object.entries(bodies)) {
    expect([path, (await tenant.ask('POST', path, { body })).status]).toEqual([path, 200])
  }
  const query = new URLSearchParams(window).toString()
  for (const path of [`/integrations/${id}/stats`, '/services', '/attributes']) {
    expect([path, (await tenant.ask('GET', `${path}?${query}`)).status]).toEqual([path, 200])
  }
})

it.each([
  '2026-03-01 09:00:00Z',
  '2026-03-01T09:00Z',
  '2026-03-01T09:00:60Z',
  '2026-03-01T09:00:00.1234567890Z',
  '2026-03-01T09:00:00+24:00',
])('a window that begins at %s is refused, in a body and in a query', async (from) => {
  const tenant = newTenant()
  expect((await tenant.ask('POST', '/messages/search', { body: { from } })).refusal).toEqual([
    'invalid_request',
    '/from',
  ])
  const query = new URLSearchParams({ from }).toString()
  expect((await tenant.ask('GET', `/services?${query}`)).refusal).toEqual(['invalid_request', '#/query/from'])
})

it.each(notations)('a window that ends where it begins is empty: %s', async (from) => {
  const body = { from, to: notations[0] }
  expect((await newTenant().ask('POST', '/messages/search', { body })).refusal).toEqual(['invalid_request', '/from'])
})

it('a saved view returns the times of its window in UTC, and stays as it was sent if they are', async () => {
  const tenant = newTenant()
  const windows = [
    { kind: 'absolute', from: '2026-03-01T10:00:00.25+01:00', to: '2026-03-01T05:00:00-05:00' },
    { kind: 'absolute', from: '2026-03-01T09:00:00.25Z', to: '2026-03-01T10:00:00Z' },
    { kind: 'absolute', from: '2016-12-31T23:59:60Z', to: '2017-01-01T00:00:01.5Z' },
    { kind: 'absolute', from: '2026-03-01t09:00:00Z', to: '2026-03-01T10:00:00z' },
  ]
  const made = []
  for (const [index, window] of windows.entries()) {
    made.push(await tenant.ask<{ window: object }>('POST', '/saved-views', { body: { name: `View ${index}`, window } }))
  }
  expect(made.map(({ body }) => body.window)).toEqual([
    { kind: 'absolute', from: '2026-03-01T09:00:00.250000000Z', to: '2026-03-01T10:00:00Z' },
    windows[1],
    { kind: 'absolute', from: '2017-01-01T00:00:00Z', to: '2017-01-01T00:00:01.5Z' },
    { kind: 'absolute', from: '2026-03-01T09:00:00Z', to: '2026-03-01T10:00:00Z' },
  ])
})

it('an imported view returns the times of its window in UTC', async () => {
  const tenant = newTenant()
  const window = { kind: 'absolute', from: '2026-03-01T10:00:00+01:00', to: '2026-03-01T11:00:00+01:00' }
  const body = { format_version: 1, saved_views: [{ name: 'View', window }] }
  expect((await tenant.ask('POST', '/config/import', { body })).status).toBe(200)
  const { items } = (await tenant.ask<{ items: { window: object }[] }>('GET', '/saved-views')).body
  expect(items[0]?.window).toEqual({ kind: 'absolute', from: '2026-03-01T09:00:00Z', to: '2026-03-01T10:00:00Z' })
})

it('an API key returns its expiry in UTC', async () => {
  const body = { name: 'ci', role: 'viewer', expires_at: '2126-01-01T00:30:00+01:00' }
  const { body: made } = await newTenant().ask<{ expires_at: string }>('POST', '/api-keys', { body })
  expect(made.expires_at).toBe('2125-12-31T23:30:00.000Z')
})
