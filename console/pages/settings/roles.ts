import type { components } from '../../../openapi/types.ts'

export type Role = components['schemas']['Role']

/** The permissions of each role in words, in the order in which roles are offered. */
export const roleWords: Readonly<Record<Role, string>> = {
  ingest: 'sends telemetry, and nothing else',
  restricted: 'sees the messages of integrations that were granted to it',
  viewer: 'sees everything, and changes nothing',
  contributor: 'also changes integrations, views, facets, alert rules and channels',
  admin: 'also manages API keys and grants, and reads the audit log',
}

export const roleOptions = (Object.keys(roleWords) as Role[]).map((role): [Role, string] => [role, role])
