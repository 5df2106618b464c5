/** Makes and reads integrations as a program would, and deletes them after each test. */
import type { Page } from 'playwright-core'
import { afterEach } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { sharedConsole } from './console-page.ts'

type Integration = components['schemas']['Integration']

export const purchases = { service: 'frontend', attribute_key: 'http.route', operator: 'equals', value: '/checkout' }

/** Starts a console for the tests of a suite about integrations. */
export function integrationsConsole() {
  const { test, open, ask } = sharedConsole()

  const create = (body: object) => ask<Integration>('POST', '/integrations', body)
  const read = (id: string) => ask<Integration>('GET', `/integrations/${id}`)
  const list = async () => (await ask<{ items: Integration[] }>('GET', '/integrations')).items
  const idOf = (page: Page) => /integrations\/([0-9A-Z]{26})/.exec(page.url())?.[1] ?? ''

  afterEach(async () => {
    for (const { id } of await list()) await ask('DELETE', `/integrations/${id}`)
  })

  return { test, open, ask, create, read, list, idOf }
}
