import { expect, it } from 'vitest'
import { createMemory } from '../../server/telemetry/memory.ts'

const knownMs = 600_000

it.each([
  ['is known as long as it may be', knownMs, 'learned'],
  ['is forgotten after that', knownMs + 1, undefined],
  ['is forgotten when the clock is set back to before it', -1, undefined],
])('what was learned %s', (_, laterMs, expected) => {
  let nowMs = Date.parse('2026-11-27T00:00:00Z')
  const memory = createMemory<string>(() => new Date(nowMs), knownMs)
  memory.set('key', 'learned')
  nowMs += laterMs
  expect(memory.get('key')).toBe(expected)
})
