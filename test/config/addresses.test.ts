import { expect, it } from 'vitest'
import { readConfig } from '../../server/config/read-config.ts'

const encode = 'in a user name or a password, characters such as / # ? @ and % must be percent-encoded'

it.each([
  [{ METADATA_URL: 'postgres://me:hun/ter2@db/x' }, 'METADATA_URL is not a valid URL'],
  [{ METADATA_URL: 'postgres://me:hun#ter2@db/x' }, 'METADATA_URL is not a valid URL'],
  [{ CLICKHOUSE_URL: 'http://me:100%@db:8123' }, 'CLICKHOUSE_URL has a % that begins no percent-encoded character'],
])('a password that is not percent-encoded is named as the fault of %j', (env, fault) => {
  expect(() => readConfig(env)).toThrow(`${fault}; ${encode}`)
})
