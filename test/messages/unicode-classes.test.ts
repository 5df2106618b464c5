import { readFileSync } from 'node:fs'
import { RE2JS } from 're2js'
import { expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { sharedApp } from '../support/integration-app.ts'

const tenant = sharedApp()

type Answer = Partial<components['schemas']['Problem']>

function ask(patterns: readonly string[]) {
  const rows = patterns.map((value) => ({ attribute_key: 'a', operator: 'matches', value }))
  return tenant().ask<Answer>('POST', '/messages/count', { body: { rows } })
}

/** The words of the library that are names of Unicode classes. */
const names = [...new Set(readFileSync(new URL(import.meta.resolve('re2js')), 'utf8').match(/\b[A-Z][A-Za-z_]*\b/g))]
  .filter((name) => isClass(name))
  .sort()

function isClass(name: string): boolean {
  try {
    RE2JS.compile(`\\p{${name}}`)
    return true
  } catch {
    return false
  }
}

it('every Unicode class that is not refused at its row is one of ClickHouse', async () => {
  expect(names.length).toBeGreaterThan(200)
  const refused: string[] = []
  for (let first = 0; first < names.length; first += 50) {
    let tried = names.slice(first, first + 50)
    for (;;) {
      const { status, body } = await ask(tried.map((name) => `\\p{${name}}`))
      const faults = body.errors ?? []
      const isOfRow = faults.length > 0 && faults.every(({ pointer }) => /^\/rows\/\d+\/value$/.test(pointer))
      expect(status === 200 || isOfRow, JSON.stringify(body)).toBe(true)
      if (status === 200) break
      const positions = new Set(faults.map(({ pointer }) => Number(pointer.split('/')[2])))
      refused.push(...tried.filter((_, index) => positions.has(index)))
      tried = tried.filter((_, index) => !positions.has(index))
    }
  }
  expect(refused).toEqual(expect.arrayContaining(['Cn', 'LC', 'Emoji', 'Lowercase']))
  expect(refused.filter((name) => name.length === 1)).toEqual([])
})

it.each(['\\p{Emoji}', '\\P{LC}', '[a\\p{^Uppercase}]', 'a\\\\\\p{Alphabetic}'])('refuses %s', async (pattern) => {
  const { status, body } = await ask([pattern])
  expect([status, body.errors?.[0]?.code]).toEqual([400, 'invalid_pattern'])
})

it.each(['\\Q\\p{Emoji}\\E', '\\\\p{Emoji}', '\\p{Greek}\\pL'])('accepts %s', async (pattern) => {
  expect((await ask([pattern])).status).toBe(200)
})
