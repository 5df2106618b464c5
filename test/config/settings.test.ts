import { describe, expect, it } from 'vitest'
import { readConfig, redactConfig } from '../../server/config/config.ts'
import { settingNames, settings } from '../../server/config/settings.ts'

const secretsKey = Buffer.alloc(32, 7).toString('base64')

describe('redacted settings', () => {
  it('show every setting and no secret', () => {
    const config = readConfig({
      CLICKHOUSE_URL: 'http://me:hunter2@db:8123',
      METADATA_URL: 'postgres://me:hunter2@pg:5432/meta?password=hunter2',
      SECRETS_KEY: secretsKey,
      RETENTION_DAYS: '30',
    })
    const printed = JSON.stringify(redactConfig(config))
    expect(printed).not.toContain('hunter2')
    expect(printed).not.toContain(secretsKey)
    expect(JSON.parse(printed)).toMatchObject({
      clickhouse: { urls: ['http://db:8123'], user: 'me', password: '[redacted]' },
      metadataUrl: 'postgres://[redacted]@pg:5432/meta',
      secretsKey: '[redacted]',
      retentionDays: 30,
    })
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
