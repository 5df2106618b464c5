import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monotonicFactory } from 'ulid'
import { expect, it, onTestFinished } from 'vitest'
import { type Metadata, openMetadata } from '../../../server/metadata/database.ts'
import { updateRecord } from '../../../server/metadata/edit-record.ts'
import { createLogger } from '../../../server/observability/logging.ts'
import { createPrometheus } from '../../../server/observability/prometheus.ts'
import { openSecretBox } from '../../../server/secrets/secret-box.ts'
import { createChannelStore } from '../../../server/webhooks/channels/channel-store.ts'
import { credentialUpkeep } from '../../../server/webhooks/channels/credentials.ts'
import { createWebhooks } from '../../../server/webhooks/webhooks.ts'
import { startApp } from '../../support/app.ts'
import { authorIn } from '../../support/author.ts'
import { seedChannel } from '../../support/channel-seed.ts'
import { describeStores, type NewStore } from '../../support/stores.ts'

const credentials = {
  url: 'http://127.0.0.1:1/hooks?token=in-the-query-string',
  auth_header: 'Bearer the-receivers-own-token',
  signing_secret: `whsec_${randomBytes(32).toString('base64')}`,
}

it('no file of the data directory, log line or metric contains credentials', async () => {
  const app = await startApp({ env: { LOG_LEVEL: 'trace', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' } })
  try {
    const send = async (method: string, path: string, body?: unknown) => {
      const response = await app.send(`/api/v1/alerting${path}`, { method, json: body })
      return (await response.json()) as { id: string; state: string }
    }
    const { id } = await send('POST', '/channels', { name: 'On-call', config: credentials })
    await send('POST', '/channels', { name: 'Bad', config: { ...credentials, format: 'template', body_template: '{' } })
    await send('PUT', `/channels/${id}`, { config: { auth_header: `${credentials.auth_header}\n` } })
    expect((await send('POST', `/channels/${id}/test`)).state).toBe('failed')
    const answers = JSON.stringify([
      await send('GET', `/channels/${id}/deliveries`),
      await send('GET', `/channels/${id}`),
    ])
    const written = [
      ...(await filesBelow(app.config.dataDir)),
      JSON.stringify(app.logLines()),
      await (await app.send('/metrics')).text(),
    ]
    const secrets = [credentials.auth_header.slice(7), credentials.signing_secret.slice(6)]
    for (const secret of secrets) {
      expect(answers).not.toContain(secret)
      for (const text of written) expect(text.includes(secret)).toBe(false)
    }
    expect(JSON.stringify(app.logLines())).not.toContain('in-the-query-string')
    // The search itself works: it finds the name of the channel.
    expect(written.some((text) => text.includes('On-call'))).toBe(true)
  } finally {
    await app.close()
  }
})

async function filesBelow(directory: string): Promise<string[]> {
  const names = (await readdir(directory)).filter((name) => name.startsWith('metadata'))
  expect(names.length).toBeGreaterThan(0)
  return Promise.all(names.map((name) => readFile(join(directory, name), 'latin1')))
}

describeStores('credentials', (newStore) => {
  const [old, current] = [randomBytes(32).toString('base64'), randomBytes(32).toString('hex')]

  it('are sealed with the current key at startup, keep the version, and no longer need the old key', async () => {
    const { metadata, dataDir } = await open(newStore)
    const id = await seedChannel(metadata, { dataDir, secretsKey: old }, 'acme', { url: 'https://receiver.example/' })
    const before = await metadata.db.selectFrom('channels').selectAll().executeTakeFirstOrThrow()
    const rotated = await start(metadata, { dataDir, secretsKey: `${current},${old}` })
    expect(rotated.lines.join()).toContain('"credentials":2')
    const after = await metadata.db.selectFrom('channels').selectAll().executeTakeFirstOrThrow()
    expect(after).toEqual({ ...before, auth_header: after.auth_header, signing_secret: after.signing_secret })
    expect(after.auth_header).not.toBe(before.auth_header)
    const alone = await start(metadata, { dataDir, secretsKey: current })
    expect(await alone.findReceiver('acme', id)).toMatchObject({ authHeader: 'Bearer the-receivers-own-token' })
    expect(alone.lines.filter((line) => /with the current key|Could not open/.test(line))).toEqual([])
  })

  it('stay sealed with the current key when an edit read the channel before they were sealed', async () => {
    const { metadata, dataDir } = await open(newStore)
    const id = await seedChannel(metadata, { dataDir, secretsKey: old }, 'acme', { url: 'https://receiver.example/' })
    const store = createChannelStore({ metadata, now: () => new Date(), newId: monotonicFactory() })
    const read = await store.find({ org: 'acme' }, id)
    if (read === undefined) throw new Error('The channel is missing.')
    await start(metadata, { dataDir, secretsKey: `${current},${old}` })
    const author = authorIn('acme')
    expect(await store.replace(author, read, { ...read, name: 'Renamed' })).toBeUndefined()
    const edit = { author, id, ifMatch: `"${read.version}"` }
    const found = [read, await store.find({ org: 'acme' }, id)]
    const raced = { ...store, find: async () => found.shift() }
    expect(await updateRecord(raced, edit, (channel) => ({ ...channel, name: 'Renamed' }))).toMatchObject({
      name: 'Renamed',
      version: read.version + 1,
    })
    const { findReceiver } = await start(metadata, { dataDir, secretsKey: current })
    expect(await findReceiver('acme', id)).toMatchObject({ authHeader: 'Bearer the-receivers-own-token' })
  })

  it('are sealed as soon as a store that failed at startup can be used, and the failure is logged once', async () => {
    const { metadata, dataDir } = await open(newStore)
    await seedChannel(metadata, { dataDir, secretsKey: old }, 'acme', { url: 'https://receiver.example/' })
    const box = await openSecretBox({ dataDir, secretsKey: `${current},${old}` })
    const { lines, logger } = linesOf()
    await metadata.db.schema.alterTable('channels').renameTo('channels_away').execute()
    const upkeep = credentialUpkeep({ metadata, box, logger }, true, 20)
    upkeep.start()
    await expect.poll(() => lines.join()).toContain('Could not seal')
    await metadata.db.schema.alterTable('channels_away').renameTo('channels').execute()
    await expect.poll(() => lines.join()).toContain('"credentials":2')
    await upkeep.stop(1_000)
    const { auth_header } = await metadata.db.selectFrom('channels').selectAll().executeTakeFirstOrThrow()
    expect(box.isCurrent(String(auth_header))).toBe(true)
    expect(lines.filter((line) => line.includes('Could not seal'))).toHaveLength(1)
  })

  it('whose key is lost stay unchanged, are logged by channel only, and cannot be opened', async () => {
    const { metadata, dataDir } = await open(newStore)
    const id = await seedChannel(metadata, { dataDir, secretsKey: old }, 'acme', { url: 'https://receiver.example/' })
    const before = await metadata.db.selectFrom('channels').selectAll().execute()
    const { lines, findReceiver } = await start(metadata, { dataDir, secretsKey: current })
    expect(lines.filter((line) => line.includes('Could not open') && line.includes(id))).toHaveLength(2)
    expect(await metadata.db.selectFrom('channels').selectAll().execute()).toEqual(before)
    await expect(findReceiver('acme', id)).rejects.toThrow('which this server does not have')
  })

  it('on Postgres without SECRETS_KEY cause a warning, because other servers cannot open them', async () => {
    const { metadata, dataDir } = await open(newStore)
    const warned = (await start(metadata, { dataDir })).lines.some((line) => line.includes('SECRETS_KEY is not set'))
    expect(warned).toBe(metadata.kind === 'postgres')
  })
})

async function open(newStore: NewStore) {
  const metadata = await openMetadata(await newStore())
  const dataDir = await mkdtemp(join(tmpdir(), 'tracefold-keys-'))
  onTestFinished(async () => {
    await metadata.close()
    await rm(dataDir, { recursive: true })
  })
  await metadata.migrate()
  return { metadata, dataDir }
}

/** Starts and stops the webhooks of a server. */
async function start(metadata: Metadata, config: { dataDir: string; secretsKey?: string }) {
  const { lines, logger } = linesOf()
  const deps = {
    config: { ...config, webhookAllowedCidrs: [] },
    metadata,
    logger,
    prometheus: createPrometheus({ collectProcess: false }),
    now: () => new Date(),
    newId: monotonicFactory(),
  }
  const { background, findReceiver } = await createWebhooks(deps, { alertRulesOf: async () => [] })
  for (const work of background) {
    work.start()
    await work.stop(1_000)
  }
  return { lines, findReceiver }
}

function linesOf() {
  const lines: string[] = []
  return { lines, logger: createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } }) }
}
