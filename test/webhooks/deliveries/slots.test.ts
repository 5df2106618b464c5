import { expect, it } from 'vitest'
import { createSlots, type Slot } from '../../../server/webhooks/deliveries/slots.ts'

const limits = { all: 4, first: 2, perOrg: 3, perChannel: 2, perHost: 2 }

const hostOfEach = (name: string) => `${name.replace('/', '.')}.example`

/** Takes slots for channels that are written as `organization/channel`. Returns those that got none. */
function takeAll(
  slots: ReturnType<typeof createSlots>,
  names: readonly string[],
  taken: Slot[] = [],
  hostOf = hostOfEach,
): string[] {
  return names.filter((name) => {
    const [org = ''] = name.split('/')
    const slot = slots.take({ org, channelId: name, url: `https://${hostOf(name)}/` })
    if (slot !== undefined) taken.push(slot)
    return slot === undefined
  })
}

it('an organization gets at most its share, however many channels it has', () => {
  const slots = createSlots(limits)
  expect(takeAll(slots, ['a/1', 'a/2', 'a/3', 'a/4'])).toEqual(['a/4'])
  expect(slots.full()).toEqual({ orgs: ['a'], channelIds: [] })
})

it('when all slots are taken, organizations that hold none get further ones', () => {
  const slots = createSlots(limits)
  expect(takeAll(slots, ['a/1', 'a/2', 'a/3', 'b/1'])).toEqual([])
  expect(slots.full().orgs).toEqual(['a', 'b'])
  expect(takeAll(slots, ['b/2', 'c/1', 'c/2'])).toEqual(['b/2', 'c/2'])
  expect(slots.areTaken).toBe(false)
  expect(takeAll(slots, ['d/1', 'e/1'])).toEqual(['e/1'])
  expect(slots.areTaken).toBe(true)
})

it('a freed slot may be taken again', () => {
  const slots = createSlots(limits)
  const taken: Slot[] = []
  takeAll(slots, ['a/1', 'a/1', 'a/2'], taken)
  expect(slots.full()).toEqual({ orgs: ['a'], channelIds: ['a/1'] })
  taken[0]?.free()
  expect(slots.full()).toEqual({ orgs: [], channelIds: [] })
  expect(takeAll(slots, ['a/1'])).toEqual([])
})

it('a host gets at most its share, and its further channels wait until a request ends', () => {
  const slots = createSlots({ ...limits, perOrg: 4 })
  const taken: Slot[] = []
  expect(takeAll(slots, ['a/1', 'a/2', 'a/3', 'b/1'], taken, () => 'one.example')).toEqual(['a/3', 'b/1'])
  expect(slots.full()).toEqual({ orgs: [], channelIds: ['a/3', 'b/1'] })
  expect(takeAll(slots, ['a/4'])).toEqual([])
  taken[0]?.free()
  expect(slots.full()).toEqual({ orgs: [], channelIds: [] })
  expect(takeAll(slots, ['a/3'], taken, () => 'one.example')).toEqual([])
})
