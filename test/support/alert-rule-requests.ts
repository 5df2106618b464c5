import { expect } from 'vitest'
import type { components } from '../../openapi/types.ts'
import * as channels from './channel-requests.ts'
import { sharedApp, type Tenant } from './integration-app.ts'
import { describeStores } from './stores.ts'

export type Rule = components['schemas']['AlertRule']
export type RuleInput = components['schemas']['AlertRuleCreate']

export interface Page<Item> {
  readonly items: Item[]
  readonly next_cursor: string | null
}

/** Runs the cases over HTTP on one server for each kind of metadata store. */
export function describeServers(title: string, cases: (newTenant: () => Tenant) => void): void {
  describeStores(title, (newStore) =>
    cases(
      sharedApp(async () => {
        const { metadataUrl } = await newStore()
        return metadataUrl === undefined ? {} : { METADATA_URL: metadataUrl }
      }),
    ),
  )
}

export const fails: RuleInput = {
  name: 'Checkout fails',
  kind: 'trace',
  measure: 'error_count',
  comparator: 'gt',
  threshold: 5,
}

/** A disabled rule, whose state does not change. */
export const quiet: RuleInput = { ...fails, enabled: false }

export const post = (tenant: Tenant, change: object = {}, whom?: { role: 'restricted' | 'viewer' | 'contributor' }) =>
  tenant.ask<Rule>('POST', '/alerting/rules', { body: { ...quiet, ...change }, ...(whom && { whom }) })

export const put = (tenant: Tenant, { id }: Pick<Rule, 'id'>, body: object, ifMatch?: string) =>
  tenant.ask<Rule>('PUT', `/alerting/rules/${id}`, { body, ...(ifMatch !== undefined && { ifMatch }) })

export const read = async (tenant: Tenant, { id }: Pick<Rule, 'id'>) =>
  (await tenant.ask<Rule>('GET', `/alerting/rules/${id}`)).body

export const remove = (tenant: Tenant, { id }: Pick<Rule, 'id'>, ifMatch?: string) =>
  tenant.ask('DELETE', `/alerting/rules/${id}`, ifMatch === undefined ? {} : { ifMatch })

export async function created(tenant: Tenant, change: object = {}): Promise<Rule> {
  const { status, body } = await post(tenant, change)
  expect([status, body]).toEqual([201, expect.anything()])
  return body
}

/** Creates channels and returns their ids. */
export async function channelIds(tenant: Tenant, ...names: string[]): Promise<string[]> {
  const made = []
  for (const name of names) made.push(await channels.created(tenant, {}, { name }))
  return made.map(({ id }) => id)
}

export const nowhere = '01JNB4Y8Z0V6Q3W2R7T5X9K1MD'
