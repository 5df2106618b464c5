/** Makes and reads integrations as a program would, and deletes them after each test. */
import type { Page } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { sharedConsole } from './console-page.ts'

type Integration = components['schemas']['Integration']

export const purchases = { service: 'frontend', attribute_key: 'http.route', operator: 'equals', value: '/checkout' }

/** Starts a console for the tests of a suite about integrations. */
export function integrationsConsole() {
  const { test, open } = sharedConsole()

  /** Sends a request of an admin as a program would, and returns the answer. */
  async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const sent =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await test.app.send(`/api/v1${path}`, { method, ...sent })
    const text = await response.text()
    expect(response.ok, text).toBe(true)
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }

  const create = (body: object) => ask<Integration>('POST', '/integrations', body)
  const read = (id: string) => ask<Integration>('GET', `/integrations/${id}`)
  const list = async () => (await ask<{ items: Integration[] }>('GET', '/integrations')).items
  const idOf = (page: Page) => /integrations\/([0-9A-Z]{26})/.exec(page.url())?.[1] ?? ''

  afterEach(async () => {
    for (const { id } of await list()) await ask('DELETE', `/integrations/${id}`)
  })

  return { test, open, ask, create, read, list, idOf }
}
