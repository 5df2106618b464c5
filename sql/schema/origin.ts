/**
 * Where a record comes from: its organization, its resource and its scope. Every table of records begins with these columns,
 * because ingest writes them once for all records of a scope.
 *
 * - `resource_attributes`, `scope_attributes`: `writeAttributeList` (attribute-list-text.ts), as a string.
 */
export const originColumns = {
  org: 'LowCardinality(String)',
  service: 'LowCardinality(String)',
  resource_attributes: 'LowCardinality(String)',
  scope_name: 'LowCardinality(String)',
  scope_version: 'LowCardinality(String)',
  scope_attributes: 'LowCardinality(String)',
} as const
