import { expect, it } from 'vitest'
import { type Integration, said, sharedApp } from '../support/integration-app.ts'

const tenant = sharedApp()

it.each([
  ['the current tag', '"1"', 200],
  ['a list with the current tag', '"7", "1"', 200],
  ['a list with empty elements', ', "7",, "1",', 200],
  ['a list with a tag of other characters', '"a,b\u00e9","1"', 200],
  ['any tag', '*', 200],
  ['an old tag', '"0"', 412],
  ['a weak tag', 'W/"1"', 412],
  ['a bare number', '1', 400],
  ['nothing', '', 400],
  ['only empty elements', ',,', 400],
  ['tags without a comma between them', '"7" "1"', 400],
  ['an open quote', '"1', 400],
])('If-Match with %s (%s) is answered with %i', async (_, ifMatch, status) => {
  const { ask, create } = tenant()
  const { id } = await create()
  const answer = await ask('PUT', `/integrations/${id}`, { body: { description: 'new' }, ifMatch })
  expect(answer.status).toBe(status)
})

it('every update and deletion honours If-Match and returns the new version', async () => {
  const { ask, create, read } = tenant()
  const { id } = await create()
  const path = `/integrations/${id}`
  const added = await ask<{ id: string }>('POST', `${path}/matchers`, { body: { service: 'a' }, ifMatch: '"1"' })
  expect([added.status, added.etag]).toEqual([201, '"2"'])
  const replaced = await ask('PUT', `${path}/matchers`, { body: { matchers: [{ service: 'b' }] }, ifMatch: '"2"' })
  expect([replaced.status, replaced.etag]).toEqual([200, '"3"'])
  const [only] = (await read(id)).matchers
  const removed = await ask('DELETE', `${path}/matchers/${only?.id}`, { ifMatch: '"3"' })
  expect([removed.status, removed.etag]).toEqual([204, '"4"'])
  const stale = { ifMatch: '"3"' }
  const answers = [
    await ask('PUT', path, { body: {}, ...stale }),
    await ask('POST', `${path}/matchers`, { body: { service: 'a' }, ...stale }),
    await ask('PUT', `${path}/matchers`, { body: { matchers: [] }, ...stale }),
    await ask('DELETE', path, stale),
  ]
  expect(answers.map(({ status, etag, refusal }) => [status, etag, ...refusal])).toEqual(
    answers.map(() => [412, '"4"', 'version_mismatch']),
  )
  expect((await ask('DELETE', path, { ifMatch: '"4"' })).status).toBe(204)
})

const writers = Array.from({ length: 20 }, (_, writer) => writer)
const setOf = (writer: number) => Array.from({ length: 10 }, (_, n) => ({ service: `w${writer}-${n}` }))
const namesOf = ({ matchers }: Integration) => said(matchers).map((each) => (each as { service: string }).service)

it('of 20 concurrent writers with If-Match one succeeds, and the others get 412', async () => {
  const { ask, create, read } = tenant()
  const { id } = await create()
  const answers = await Promise.all(
    writers.map((writer) =>
      ask('PUT', `/integrations/${id}/matchers`, { body: { matchers: setOf(writer) }, ifMatch: '"1"' }),
    ),
  )
  const winners = writers.filter((writer) => answers[writer]?.status === 200)
  expect(winners).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 412)).toHaveLength(19)
  const stored = await read(id)
  expect([namesOf(stored), stored.version]).toEqual([setOf(winners[0] ?? 0).map(({ service }) => service), 2])
})

it('20 concurrent writers without If-Match leave the complete set of one of them, after 20 versions', async () => {
  const { ask, create, read } = tenant()
  const { id } = await create()
  const replace = (writer: number) => ask('PUT', `/integrations/${id}/matchers`, { body: { matchers: setOf(writer) } })
  const answers = await Promise.all(writers.map(replace))
  expect(answers.map(({ status }) => status)).toEqual(writers.map(() => 200))
  const stored = await read(id)
  expect(stored.version).toBe(21)
  expect(writers.map((writer) => setOf(writer).map(({ service }) => service))).toContainEqual(namesOf(stored))
})

it('20 matchers that are added concurrently are all stored', async () => {
  const { ask, create, read } = tenant()
  const { id } = await create()
  await Promise.all(writers.map((n) => ask('POST', `/integrations/${id}/matchers`, { body: { service: `s${n}` } })))
  const stored = await read(id)
  expect(namesOf(stored).sort()).toEqual(writers.map((n) => `s${n}`).sort())
})
