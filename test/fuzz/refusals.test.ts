import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalidRowCases, validRowCases } from '../oracle/row-validity-table.ts'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const operations = ['search', 'count', 'summary'] as const

async function post(operation: (typeof operations)[number], body: object) {
  const response = await app.send(`/api/v1/messages/${operation}`, { json: body })
  return { status: response.status, answer: (await response.json()) as { errors?: { pointer: string }[] } }
}

describe.each(operations)('%s', (operation) => {
  it.each(invalidRowCases)('rejects a row with %s, with a pointer to the field', async (_, row, field) => {
    const { status, answer } = await post(operation, { rows: [{ attribute_key: 'k', operator: 'exists' }, row] })
    expect([status, answer.errors?.map(({ pointer }) => pointer)]).toEqual([400, [`/rows/1/${field}`]])
  })

  it.each(validRowCases)('accepts a row with %s', async (_, row) => {
    expect(await post(operation, { rows: [row] })).toMatchObject({ status: 200 })
  })

  it('rejects 51 rows', async () => {
    const rows = Array.from({ length: 51 }, () => ({ attribute_key: 'k', operator: 'exists' }))
    expect(await post(operation, { rows })).toMatchObject({ status: 400 })
    expect(await post(operation, { rows: rows.slice(1) })).toMatchObject({ status: 200 })
  })

  it('rejects an empty window', async () => {
    const time = '2026-01-01T00:00:00.000000001Z'
    expect(await post(operation, { from: time, to: time })).toMatchObject({ status: 400 })
  })
})
