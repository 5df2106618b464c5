import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { checkpointOf, nothingYet } from '../../server/cli/import/checkpoint.ts'
import { inspect } from '../../server/cli/import/input.ts'
import { exportRequest, writeTemporary } from '../support/otlp-files.ts'

async function openCheckpoint() {
  const file = writeTemporary('a.json', JSON.stringify(exportRequest([1])))
  return checkpointOf(await inspect(file), 'http://127.0.0.1:4318', undefined)
}

it('contains the last progress when it is saved while an earlier save has not ended', async () => {
  const checkpoint = await openCheckpoint()
  const saves = [10, 20, 30].map((end) => checkpoint.save({ ...nothingYet, end }))
  await Promise.all(saves)
  expect(await checkpoint.load()).toMatchObject({ end: 30 })
})

it('does not exist when it is removed while a save has not ended', async () => {
  const checkpoint = await openCheckpoint()
  const saved = checkpoint.save(nothingYet)
  await checkpoint.remove()
  await saved
  expect([checkpoint.path, `${checkpoint.path}.new`].filter(existsSync)).toEqual([])
})
