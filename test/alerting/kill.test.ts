import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { expect, it, onTestFinished } from 'vitest'
import { openMetadata } from '../../server/metadata/database.ts'
import { startReceiver } from '../support/receiver.ts'
import { startServerProcess, tokenFor } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { unusedPort } from '../support/unused-port.ts'
import { openEngineProxy } from './engine-proxy.ts'
import { eventsOf, untilReceived, watchOrg } from './watched-org.ts'

const msMax = 90_000

/** Lets deliveries be written but not sent, as if the server were killed in between. */
async function holdDeliveries(dataDir: string): Promise<{ count(): Promise<number>; release(): Promise<void> }> {
  const metadata = await openMetadata({ dataDir })
  onTestFinished(() => metadata.close())
  const body = sql`BEGIN SELECT RAISE(ABORT, 'held by the test'); END`
  await sql`CREATE TRIGGER held BEFORE UPDATE ON deliveries ${body}`.execute(metadata.db)
  return {
    async count() {
      return (await metadata.db.selectFrom('deliveries').select('id').execute()).length
    },
    async release() {
      await sql`DROP TRIGGER held`.execute(metadata.db)
    },
  }
}

it(
  'a server killed between the state change and the request sends the firing once, and later the resolution once',
  async () => {
    const dataDir = temporaryFolder()
    const { env: engine } = await openEngineProxy()
    const env = { ...engine, ALERT_PERIOD_SECONDS: '1', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' }
    const port = await unusedPort()
    const first = await startServerProcess({ dataDir, env, port })
    const token = await tokenFor(dataDir)
    const org = watchOrg({ url: first.url, token })
    const receiver = await startReceiver()
    const channel = await org.addChannel(receiver)
    const rule = await org.addRule({ measure: 'error_rate', threshold: 0.5, channel_ids: [channel.id] })
    const held = await holdDeliveries(dataDir)
    await org.sendTraces('checkout:pay !declined')
    await expect.poll(() => held.count(), { timeout: msMax }).toBe(1)
    expect((await first.end('SIGKILL')).code).toBeNull()
    expect(receiver.received).toEqual([])

    await held.release()
    const second = await startServerProcess({ dataDir, env, port })
    await untilReceived(receiver, 1, msMax)
    await org.sendTraces('checkout:pay\n---\ncheckout:pay')
    await untilReceived(receiver, 2, msMax)
    expect(eventsOf(receiver.received)).toEqual(['alert.firing', 'alert.resolved'])
    const webhook = new Webhook(channel.signing_secret ?? '')
    for (const { body, headers } of receiver.received) webhook.verify(body, headers as Record<string, string>)
    expect((await org.rule(rule.id)).state).toMatchObject({ status: 'ok', alert_id: null })
    expect((await org.alerts()).map(({ state }) => state)).toEqual(['resolved'])
    expect((await second.end('SIGTERM')).code).toBe(0)
  },
  4 * msMax,
)
