import { closeSync, fstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { leadsToJournal } from '../../server/lifecycle/systemd-journal.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('only the stream that systemd names leads to its journal', () => {
  const folder = temporaryFolder()
  const [journal, other] = ['journal', 'other'].map((name) => openSync(join(folder, name), 'w')) as [number, number]
  onTestFinished(() => [journal, other].forEach(closeSync))
  const { dev, ino } = fstatSync(journal)
  expect(leadsToJournal(journal, `${dev}:${ino}`)).toBe(true)
  expect(leadsToJournal(other, `${dev}:${ino}`)).toBe(false)
  expect(leadsToJournal(journal, undefined)).toBe(false)
})
