import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assembleConfig } from '../../server/config/assemble-config.ts'
import { effectiveSettings, readConfig } from '../../server/config/read-config.ts'
import { type SettingValues, settingNames, settings } from '../../server/config/settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const secretsKey = Buffer.alloc(32, 7).toString('base64')

it('the configuration is made from every setting', () => {
  const read = new Set<PropertyKey>()
  const values = new Proxy({} as SettingValues, {
    get: (_, name) => {
      read.add(name)
      return undefined
    },
  })
  assembleConfig(values)
  expect(settingNames.filter((name) => !read.has(name))).toEqual([])
})

describe('effective settings', () => {
  it('show every setting under its own name, and no secret', () => {
    const printed = effectiveSettings({
      CLICKHOUSE_URL: 'http://me:hunter@2@db:8123',
      METADATA_URL: 'postgres://me:hunter2@pg:5432/meta?password=hunter2',
      CLICKHOUSE_PASSWORD: 'hunter2',
      SECRETS_KEY: secretsKey,
      RETENTION_DAYS: '30',
    })
    expect(JSON.stringify(printed)).not.toContain('hunter')
    expect(JSON.stringify(printed)).not.toContain(secretsKey)
    expect(Object.keys(printed)).toEqual(settingNames)
    expect(printed).toMatchObject({
      PORT: '4318',
      CLICKHOUSE_URL: 'http://[redacted]@db:8123',
      CLICKHOUSE_PASSWORD: '[redacted]',
      METADATA_URL: 'postgres://[redacted]@pg:5432/meta?[redacted]',
      SECRETS_KEY: '[redacted]',
      RETENTION_DAYS: '30',
      PUBLIC_URL: null,
    })
  })

  it('are a settings file with the same effect', () => {
    const env = {
      PORT: '5000',
      RETENTION_DAYS: '7',
      WEBHOOK_ALLOWED_CIDRS: '10.0.0.0/8,fd00::/8',
      QUERY_MEMORY_MAX: '3GiB',
    }
    const folder = temporaryFolder()
    const file = join(folder, 'settings.json')
    writeFileSync(file, JSON.stringify(effectiveSettings(env)))
    expect(readConfig({}, { file })).toEqual(readConfig(env))
    expect(effectiveSettings({}, { file })).toEqual(effectiveSettings(env))
  })
})

describe('the table of settings', () => {
  it('has a default that its own parser accepts, and a sentence of meaning, for each setting', () => {
    for (const name of settingNames) {
      const setting = settings[name]
      if (setting.default !== undefined) expect(() => setting.parse(setting.default)).not.toThrow()
      expect(setting.meaning, name).toMatch(/\.$/)
    }
  })
})
