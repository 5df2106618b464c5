import { expect } from 'vitest'
import type { components } from '../../openapi/types.ts'
import type { Tenant } from './integration-app.ts'

export type Channel = components['schemas']['ChannelCreated']

export const url = 'https://receiver.example/alerts?token=in-the-query'
export const authHeader = 'Bearer the-receivers-own-token'

export function create(tenant: Tenant, config: object = {}, more: object = {}) {
  return tenant.ask<Channel>('POST', '/alerting/channels', {
    body: { kind: 'webhook', name: 'On-call', config: { url, ...config }, ...more },
  })
}

export async function created(tenant: Tenant, config: object = {}, more: object = {}): Promise<Channel> {
  const { status, body } = await create(tenant, config, more)
  expect([status, body]).toEqual([201, expect.anything()])
  return body
}

export const put = (tenant: Tenant, id: string, body: object, ifMatch?: string) =>
  tenant.ask<Channel>('PUT', `/alerting/channels/${id}`, { body, ...(ifMatch !== undefined && { ifMatch }) })

export const template = (text: string) => ({ format: 'template', body_template: text })

/** Returns the status, code and faults of a refused save, and checks that nothing was stored. */
export async function refusal(tenant: Tenant, config: object): Promise<readonly unknown[]> {
  const { status, body } = await create(tenant, config)
  const list = await tenant.ask<{ items: unknown[] }>('GET', '/alerting/channels')
  expect(list.body.items).toEqual([])
  const { code, errors = [] } = body as unknown as components['schemas']['Problem']
  return [status, code, ...errors.map((fault) => `${fault.pointer} ${fault.code} ${fault.message}`)]
}
