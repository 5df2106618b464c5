import { expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { sharedApp } from '../support/integration-app.ts'

const tenant = sharedApp()

type Answer = Partial<components['schemas']['Problem']>

async function ask(value: string) {
  const rows = [{ attribute_key: 'a', operator: 'matches', value }]
  const { status, body } = await tenant().ask<Answer>('POST', '/messages/count', { body: { rows } })
  return [status, ...(body.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`)]
}

it.each([
  '\\pL{380}',
  '(\\PL{19}){19}',
  '[\\pL\\pN]{180}',
  '.{1000}'.repeat(30),
  '\\W{1000}'.repeat(30),
  '[^a]{1000}'.repeat(17),
])('an expression within the budget is compiled by ClickHouse: %s', async (value) => {
  expect(await ask(value)).toEqual([200])
})

it.each(['\\pL{500}', '(\\PL{30}){30}', '[\\pL\\pN]{450}', '\\W{1000}'.repeat(50)])(
  'an expression that ClickHouse would refuse is refused at its row: %s',
  async (value) => {
    expect(await ask(value)).toEqual([400, '/rows/0/value patterns_too_costly'])
  },
)
