import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { sendGrpc } from '../support/grpc-client.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Returns the reasons of the lines with a message that were logged while something was done. */
async function reasonsOf(message: string, work: () => Promise<unknown>): Promise<unknown[]> {
  const before = app.logLines().length
  await work()
  return app
    .logLines()
    .slice(before)
    .filter(({ msg }) => msg === message)
    .map(({ level, signal, reason }) => [level, signal, reason])
}

const truncated = Buffer.from([0xff])

/** Sends a body over HTTP or gRPC. */
const senders = {
  HTTP: (authorization: string, contentType = 'application/x-protobuf', body: Buffer | string = truncated) =>
    fetch(`${app.url}/v1/traces`, {
      method: 'POST',
      headers: { authorization, 'content-type': contentType },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    }),
  gRPC: (authorization: string) => sendGrpc(app.grpcUrl, truncated, { authorization }),
} as const
const transports = Object.keys(senders) as (keyof typeof senders)[]

it.each(transports)('telemetry that is refused over %s is logged with the reason', async (transport) => {
  const authorization = `Bearer ${await app.token()}`
  const reasons = await reasonsOf('Refused telemetry', () => senders[transport](authorization))
  expect(reasons).toEqual([['info', 'traces', 'A protobuf message is truncated.']])
})

it.each(transports)('telemetry of a role that cannot send it over %s is logged with the role', async (transport) => {
  const authorization = `Bearer ${await app.token({ role: 'viewer' })}`
  const reasons = await reasonsOf('Refused telemetry', () => senders[transport](authorization))
  expect(reasons).toEqual([['info', 'traces', expect.stringContaining('The role viewer cannot send telemetry')]])
})

it.each(transports)(
  'a credential that has expired over %s is logged with the reason, and not itself',
  async (transport) => {
    const token = await app.token({ secondsToLive: -60 })
    const reasons = await reasonsOf('Refused a credential', () => senders[transport](`Bearer ${token}`))
    expect(reasons).toEqual([['info', 'traces', expect.stringContaining('expired')]])
    expect(JSON.stringify(app.logLines())).not.toContain(token)
  },
)

it('a form that is not supported is logged with the reason', async () => {
  const authorization = `Bearer ${await app.token()}`
  const reasons = await reasonsOf('Refused telemetry', () => senders.HTTP(authorization, 'text/plain', 'spans'))
  expect(reasons).toEqual([['info', 'traces', expect.stringContaining('application/x-protobuf')]])
})
