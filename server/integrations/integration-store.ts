import { expressionBuilder } from 'kysely'
import type { Caller } from '../auth/caller.ts'
import type { Metadata } from '../metadata/database.ts'
import { recordModel, type Visible } from '../metadata/record-model.ts'
import { createRecordStore, type RecordStore, type RecordStoreDeps } from '../metadata/record-store.ts'
import type { Schema } from '../metadata/schema.ts'
import type { FindIntegrationId, FindSlice, GrantedSlices } from '../telemetry/scope.ts'
import { deletedGrants } from './grants.ts'
import {
  type IntegrationContent,
  type StoredIntegration,
  sliceOfContent,
  toIntegrationRecord,
} from './integration-record.ts'

export type IntegrationStore = RecordStore<IntegrationContent, StoredIntegration>

const integrationsPerOrgMax = 1_000

export const integrationModel = recordModel({
  table: 'integrations',
  key: 'id',
  noun: 'integration',
  plural: 'integrations',
  perOrgMax: integrationsPerOrgMax,
  kind: 'integration',
  toAudited: toIntegrationRecord,
  deletedWith: deletedGrants,
  initial: { grants_version: 1 },
  toRow: ({ name, description, rule_match, matchers }: IntegrationContent) => ({
    name,
    description,
    rule_match,
    matchers: JSON.stringify(matchers),
  }),
  fromRow: ({ id, name, description, rule_match, matchers, version, created_at, updated_at }): StoredIntegration => ({
    id,
    name,
    description,
    rule_match,
    matchers: JSON.parse(matchers),
    version,
    created_at,
    updated_at,
  }),
  grantedTo: (org, subject) =>
    expressionBuilder<Schema, 'integrations'>()('id', 'in', grantedIntegrationIds(org, subject)),
})

export function createIntegrationStore(deps: RecordStoreDeps): IntegrationStore {
  return createRecordStore(integrationModel, deps)
}

/** Selects the ids of the integrations that are granted to a subject. */
export function grantedIntegrationIds(org: string, subject: string) {
  return expressionBuilder<Schema>()
    .selectFrom('integration_grants')
    .select('integration_id')
    .where('org', '=', org)
    .where('subject', '=', subject)
}

/** Returns which records of integrations a caller may see. Restricted callers may see only those granted to them. */
export function visibleTo({ org, role, subject }: Caller): Visible {
  return role === 'restricted' ? { org, grantedTo: subject } : { org }
}

/** Finds the slice of an integration that is visible to the caller. */
export function findSliceIn(store: IntegrationStore): FindSlice {
  return async (caller, id) => {
    const found = await store.find(visibleTo(caller), id)
    return found && { name: found.name, slice: sliceOfContent(found) }
  }
}

/** Finds the id of an integration that is visible to the caller, by its name, which is unique in the organization. */
export function findIntegrationIdIn({ db }: Pick<Metadata, 'db'>): FindIntegrationId {
  return async (caller, name) => {
    const { org, grantedTo } = visibleTo(caller)
    const named = db.selectFrom('integrations').select('id').where('org', '=', org).where('name', '=', name)
    const visible = grantedTo === undefined ? named : named.where('id', 'in', grantedIntegrationIds(org, grantedTo))
    return (await visible.executeTakeFirst())?.id
  }
}

/**
 * Reads the slices granted to a restricted caller. They are read at every request, so that a revoked grant ends at
 * once.
 */
export function grantedSlicesIn(store: IntegrationStore): GrantedSlices {
  return async ({ org, subject }) => {
    const page = { limit: integrationsPerOrgMax, before: undefined }
    return (await store.list({ org, grantedTo: subject }, page)).map(sliceOfContent)
  }
}
