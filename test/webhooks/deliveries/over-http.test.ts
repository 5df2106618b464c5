import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { components } from '../../../openapi/types.ts'
import { createOutbox } from '../../../server/webhooks/deliveries/outbox.ts'
import { webhookFormats } from '../../../server/webhooks/formats/formats.ts'
import { sampleContext } from '../../../server/webhooks/templates/template-variables.ts'
import { startApp, type TestApp, type Whom } from '../../support/app.ts'
import { startReceiver } from '../../support/receiver.ts'

type Delivery = components['schemas']['Delivery']

const authorization = 'Basic cmVjZWl2ZXI6b3duLXNlY3JldA=='
let stoppedMs: number | undefined
/** Stops the clock of the server until the test ends, so that no minute of a limit passes meanwhile. */
function stopClock(): void {
  stoppedMs = Date.now()
  onTestFinished(() => {
    stoppedMs = undefined
  })
}

let app: TestApp
beforeAll(async () => {
  const now = () => new Date(stoppedMs ?? Date.now())
  app = await startApp({ env: { WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' }, overrides: { now } })
})
afterAll(() => app.close())

async function ask<Body>(method: string, path: string, { body, whom }: { body?: unknown; whom?: Whom } = {}) {
  const response = await app.send(`/api/v1/alerting${path}`, { method, json: body, ...(whom && { whom }) })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body }
}

let channels = 0

async function createChannel(config: Record<string, unknown>) {
  channels += 1
  const body = { name: `Channel ${channels}`, config: { auth_header: authorization, ...config } }
  const made = await ask<{ id: string; signing_secret: string }>('POST', '/channels', { body })
  expect(made.status).toBe(201)
  return made.body
}

const listed = async (id: string, query = '') =>
  (await ask<{ items: Delivery[]; next_cursor: string | null }>('GET', `/channels/${id}/deliveries${query}`)).body

it('"Custom body template" 9: a test posts the previewed body through the regular delivery path', async () => {
  const receiver = await startReceiver()
  const body_template =
    '{"id":"$rule.id","says":"${alert.state}: $alert.summary","value":"$check.value","facets":"$service.facets"}'
  const { id, signing_secret } = await createChannel({ url: receiver.url, format: 'template', body_template })
  const preview = await ask<{ body: unknown }>('POST', '/templates/preview', { body: { body_template } })
  const test = await ask<Delivery>('POST', `/channels/${id}/test`)
  expect(test.body).toMatchObject({
    event: 'test',
    state: 'delivered',
    attempts: [{ number: 1, status: 200, response: 'ok' }],
  })
  const [got] = receiver.received
  if (!got) throw new Error('Nothing was posted.')
  expect(JSON.parse(got.body)).toEqual(preview.body.body)
  expect(new Webhook(signing_secret).verify(got.body, got.headers as Record<string, string>)).toEqual(preview.body.body)
  expect(got.headers['webhook-id']).toBe(test.body.id)
  expect((await listed(id)).items).toEqual([test.body])
})

it('"Authentication" 3 and 4: auth_header is sent verbatim; the signature covers the posted bytes', async () => {
  const receiver = await startReceiver()
  for (const format of Object.keys(webhookFormats)) {
    const template = format === 'template' ? { body_template: '{"s":"$alert.state ü\\u2028"}' } : {}
    const { id, signing_secret } = await createChannel({ url: receiver.url, format, ...template })
    expect((await ask<Delivery>('POST', `/channels/${id}/test`)).body.state).toBe('delivered')
    const got = receiver.received.at(-1)
    if (!got) throw new Error('Nothing was posted.')
    expect(got.headers.authorization).toBe(authorization)
    expect(() => new Webhook(signing_secret).verify(got.body, got.headers as Record<string, string>)).not.toThrow()
  }
})

it('"Custom body template" 10 and "Errors": if rendering fails, the canonical payload is posted', async () => {
  const receiver = await startReceiver(() => ({ status: 400, body: 'unknown shape' }))
  const body_template = '{"s":"$alert.state"}'
  const { id } = await createChannel({ url: receiver.url, format: 'template', body_template })
  // A template that an earlier version of the server would have accepted.
  const broken = { body_template: '{"s":"$alert.nothing"}' }
  await app.app.metadata.db.updateTable('channels').set(broken).where('id', '=', id).execute()
  const { body } = await ask<Delivery>('POST', `/channels/${id}/test`)
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    type: 'alert.test',
    data: { alert: { state: 'firing' } },
  })
  expect(body).toMatchObject({ state: 'failed', template_error: expect.stringContaining('alert.nothing') })
  expect(body.attempts).toMatchObject([
    { status: 400, response: 'unknown shape', error: 'the receiver responded with status 400' },
  ])
})

it('each test is about an alert of its own, so that a receiver which drops known alerts accepts it', async () => {
  const receiver = await startReceiver()
  const { id } = await createChannel({ url: receiver.url })
  const tests = [
    await ask<Delivery>('POST', `/channels/${id}/test`),
    await ask<Delivery>('POST', `/channels/${id}/test`),
  ]
  const alerts = tests.map(({ body }) => body.alert_id)
  expect(receiver.received.map(({ body }) => JSON.parse(body).data.alert.id)).toEqual(alerts)
  expect(new Set(alerts).size).toBe(2)
})

it('the running server sends enqueued deliveries and lists them in pages, newest first', async () => {
  const receiver = await startReceiver()
  const { id } = await createChannel({ url: receiver.url })
  const newId = (await import('ulid')).monotonicFactory()
  const ids = [newId(), newId(), newId()]
  const outbox = createOutbox({ now: () => new Date(), newId })
  for (const alert of ids) {
    const context = { ...sampleContext, alert: { ...sampleContext.alert, id: alert } }
    await app.app.metadata.transaction((transaction) =>
      outbox.enqueue(transaction, { org: app.org, channelIds: [id], context }),
    )
  }
  await expect.poll(() => receiver.received.length).toBe(3)
  await expect.poll(async () => (await listed(id)).items.map(({ state }) => state)).toEqual(Array(3).fill('delivered'))
  const first = await listed(id, '?limit=2')
  const second = await listed(id, `?limit=2&cursor=${first.next_cursor}`)
  expect([...first.items, ...second.items]).toMatchObject(
    ids.toReversed().map((alert_id) => ({ alert_id, next_attempt_at: null })),
  )
  expect(second.next_cursor).toBeNull()
  expect((await listed(id, `?alert_id=${ids[1]}`)).items).toMatchObject([{ alert_id: ids[1] }])
  const again = await ask('POST', `/channels/${id}/deliveries/${first.items[0]?.id}/retry`)
  expect(again.status).toBe(409)
})

it('a delivery has the name of its rule at the event, also if the rule is deleted, and a test has none', async () => {
  const receiver = await startReceiver()
  const { id } = await createChannel({ url: receiver.url })
  const outbox = createOutbox({ now: () => new Date(), newId: (await import('ulid')).ulid })
  await app.app.metadata.transaction((transaction) =>
    outbox.enqueue(transaction, { org: app.org, channelIds: [id], context: sampleContext }),
  )
  await ask('POST', `/channels/${id}/test`)
  const { id: rule_id, name: rule_name } = sampleContext.rule
  expect((await listed(id)).items).toMatchObject([
    { event: 'test', rule_id: null, rule_name: null },
    { event: 'firing', rule_id, rule_name },
  ])
})

it('a failed delivery can be retried manually', async () => {
  const receiver = await startReceiver((number) => ({ status: number === 1 ? 500 : 200 }))
  const { id } = await createChannel({ url: receiver.url })
  const { body } = await ask<Delivery>('POST', `/channels/${id}/test`)
  expect(body.state).toBe('failed')
  const retried = await ask<Delivery>('POST', `/channels/${id}/deliveries/${body.id}/retry`)
  expect(retried).toMatchObject({ status: 200, body: { id: body.id } })
  await expect.poll(async () => (await listed(id)).items[0]?.state).toBe('delivered')
  expect((await listed(id)).items[0]?.attempts.map(({ number, status }) => [number, status])).toEqual([
    [1, 500],
    [2, 200],
  ])
})

it('a failed test is not retried while another test of the channel is running', async () => {
  let finish = () => {}
  const receiver = await startReceiver((number, response) => {
    if (number === 1) return { status: 500 }
    finish = () => void response.end()
    return 'later'
  })
  const { id } = await createChannel({ url: receiver.url })
  const { body } = await ask<Delivery>('POST', `/channels/${id}/test`)
  const running = ask<Delivery>('POST', `/channels/${id}/test`)
  await expect.poll(() => receiver.received.length).toBe(2)
  const refused = await ask('POST', `/channels/${id}/deliveries/${body.id}/retry`)
  expect(refused).toMatchObject({ status: 429, body: { detail: 'Another test of the channel is still running.' } })
  finish()
  expect((await running).body.state).toBe('delivered')
})

it('retries of one delivery are limited, so that callers cannot flood a receiver', async () => {
  stopClock()
  const receiver = await startReceiver(() => ({ status: 500 }))
  const { id } = await createChannel({ url: receiver.url })
  const { body } = await ask<Delivery>('POST', `/channels/${id}/test`)
  const answers = []
  for (let n = 0; n < 30; n++) answers.push(await ask('POST', `/channels/${id}/deliveries/${body.id}/retry`))
  const last = answers.at(-1)
  expect(last?.status).toBe(429)
  expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(3)
  expect(receiver.received.length).toBeLessThanOrEqual(4)
})

it('status 410 disables the channel, which can still be tested', async () => {
  const receiver = await startReceiver((number) => ({ status: number === 1 ? 410 : 200 }))
  const { id } = await createChannel({ url: receiver.url })
  const { body } = await ask<Delivery>('POST', `/channels/${id}/test`)
  const gone = { enabled: false, disabled_reason: 'gone' }
  expect((await ask('GET', `/channels/${id}`)).body).toMatchObject(gone)
  expect((await ask('PUT', `/channels/${id}`, { body: { enabled: false } })).body).toMatchObject(gone)
  expect((await ask('POST', `/channels/${id}/deliveries/${body.id}/retry`)).status).toBe(409)
  expect((await ask<Delivery>('POST', `/channels/${id}/test`)).body.state).toBe('delivered')
  expect((await ask('PUT', `/channels/${id}`, { body: { enabled: true } })).body).toMatchObject({ enabled: true })
})

it('a channel accepts one test at a time, and five per minute', async () => {
  stopClock()
  const answers: (() => void)[] = []
  const receiver = await startReceiver((_, response) => {
    answers.push(() => void response.end())
    return 'later'
  })
  const { id } = await createChannel({ url: receiver.url })
  const running = ask<Delivery>('POST', `/channels/${id}/test`)
  await expect.poll(() => answers.length).toBe(1)
  expect((await ask('POST', `/channels/${id}/test`)).status).toBe(429)
  answers[0]?.()
  expect((await running).body.state).toBe('delivered')
  for (let test = 2; test <= 5; test += 1) {
    const next = ask('POST', `/channels/${id}/test`)
    await expect.poll(() => answers.length).toBe(test)
    answers.at(-1)?.()
    expect((await next).status).toBe(200)
  }
  const refused = await ask('POST', `/channels/${id}/test`)
  expect(refused).toMatchObject({ status: 429 })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})

it('tests and retries require a contributor, the list requires a viewer, and other organizations get 404', async () => {
  const receiver = await startReceiver()
  const { id } = await createChannel({ url: receiver.url })
  const { body } = await ask<Delivery>('POST', `/channels/${id}/test`)
  const paths = [
    ['POST', '/test'],
    ['POST', `/deliveries/${body.id}/retry`],
    ['GET', '/deliveries'],
  ] as const
  const statuses = (whom: Whom) =>
    Promise.all(paths.map(async ([method, path]) => (await ask(method, `/channels/${id}${path}`, { whom })).status))
  expect(await statuses({ role: 'viewer' })).toEqual([403, 403, 200])
  expect(await statuses({ role: 'restricted' })).toEqual([403, 403, 403])
  expect(await statuses({ org: 'another-org' })).toEqual([404, 404, 404])
  const other = await createChannel({ url: receiver.url })
  expect((await ask('POST', `/channels/${other.id}/deliveries/${body.id}/retry`)).status).toBe(404)
})

it('viewers read deliveries without the responses, which may echo the body that they may not read', async () => {
  const receiver = await startReceiver((_number, _response, { body }) => ({ status: 400, body: `cannot read ${body}` }))
  const body_template = '{"routing_key":"R0UT1NG","says":"$alert.state"}'
  const { id } = await createChannel({ url: receiver.url, format: 'template', body_template })
  await ask('POST', `/channels/${id}/test`)
  const whole = await ask<{ items: Delivery[] }>('GET', `/channels/${id}/deliveries`, { whom: { role: 'contributor' } })
  expect(whole.body.items[0]?.attempts[0]?.response).toContain('R0UT1NG')
  const seen = await ask<{ items: Delivery[] }>('GET', `/channels/${id}/deliveries`, { whom: { role: 'viewer' } })
  const { response: _, ...attempt } = whole.body.items[0]?.attempts[0] ?? {}
  expect(seen.body.items).toEqual([{ ...whole.body.items[0], attempts: [attempt] }])
})

it('a URL with an internal address is refused on save, with its pointer', async () => {
  for (const url of ['http://10.0.0.1/', 'http://[::1]:8080/', 'http://169.254.169.254/latest/meta-data']) {
    const body = { name: `Internal ${url}`, config: { url } }
    expect(await ask('POST', '/channels', { body })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/config/url', code: 'internal_address' }] },
    })
  }
})

it('failures are logged and counted without secrets or URLs', async () => {
  const text = JSON.stringify(app.logLines())
  expect(text).toContain('A delivery failed')
  for (const secret of [authorization, 'in-the-query', 'whsec_', '/hooks']) expect(text).not.toContain(secret)
  const metrics = await (await fetch(`${app.url}/metrics`)).text()
  expect(metrics).toMatch(/tracefold_deliveries_total\{outcome="delivered"\} [1-9]/)
  expect(metrics).toMatch(/tracefold_deliveries_total\{outcome="failed"\} [1-9]/)
})
