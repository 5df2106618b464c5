import { afterAll, beforeAll, expect, it } from 'vitest'
import { readDocument } from '../../server/http/contract/document.ts'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'error' } })
})
afterAll(() => app.close())

const paths = [...Object.keys(readDocument().paths), '/mcp'].map((path) => path.replaceAll(/\{\w+\}/g, '1'))

it.each(paths)('%s is the same with a slash at its end', async (path) => {
  const [without, withSlash] = await Promise.all(
    [path, `${path}/`].map(async (target) => {
      const answer = await app.send(target, { method: 'PATCH' })
      return [answer.status, answer.headers.get('allow'), await answer.json().catch(() => undefined)]
    }),
  )
  expect(without?.[0]).not.toBe(404)
  expect(withSlash).toEqual(without)
})

it.each(['/api/v1/integrations//', '/api/v1//integrations', '/mcp//'])('%s is nothing', async (path) => {
  expect((await app.send(path)).status).toBe(404)
})
