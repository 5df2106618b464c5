import { readdirSync, readFileSync, statSync } from 'node:fs'
import { get } from 'node:http'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { startEngine } from '../support/own-engine.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('other local users', () => {
  /** Uses a separate connection, because an open one would delay the shutdown of the engine. */
  function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const request = get(url, { agent: false, headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode))
      })
      request.once('error', reject)
    })
  }

  it('are refused without the gate header, under any user name', async () => {
    const endpoint = (await startEngine(temporaryFolder())).endpoint()
    const { url = '', username = '', password = '' } = endpoint ?? {}
    for (const user of ['default', username]) {
      for (const target of ['/?query=SELECT+1', '/ping', '/play', '/replicas_status']) {
        const status = await statusOf(`${url}${target}`, { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password })
        expect([user, target, status]).toEqual([user, target, 404])
      }
    }
  })

  it('need the password as well', async () => {
    const { url = '', username = '', headers } = (await startEngine(temporaryFolder())).endpoint() ?? {}
    const credentials = { 'X-ClickHouse-User': username, 'X-ClickHouse-Key': 'guessed' }
    expect(await statusOf(`${url}/?query=SELECT+1`, { ...headers, ...credentials })).toBe(403)
  })

  it('cannot read the secrets from files, arguments or environment; the secrets change at every start', async () => {
    const dataDir = temporaryFolder()
    const engine = await startEngine(dataDir)
    const folder = path.join(dataDir, 'clickhouse')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const file of readdirSync(path.join(folder, 'config'))) {
      expect(statSync(path.join(folder, 'config', file)).mode & 0o777).toBe(0o600)
    }
    const first = engine.endpoint()
    const secrets = [first?.password ?? '', ...Object.values(first?.headers ?? {})]
    expect(secrets.every((secret) => secret.length >= 32)).toBe(true)
    if (process.platform === 'linux') {
      const visible = ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${engine.pid}/${name}`, 'utf8')).join()
      for (const secret of secrets) expect(visible).not.toContain(secret)
    }
    await engine.stop()
    const second = (await startEngine(dataDir)).endpoint()
    expect(secrets).not.toContain(second?.password)
  })
})
