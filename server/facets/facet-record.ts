import type { components } from '../../openapi/types.ts'
import type { BuiltInFacet } from './built-in.ts'

export type FacetRecord = components['schemas']['Facet']

/** What users say of a facet of their own. */
export interface FacetContent {
  readonly name: string
  readonly description: string
}

export interface StoredFacet extends FacetContent {
  /** Made from the first name, and kept. */
  readonly slug: string
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}

export function toBuiltInRecord({ slug, description, definition, keyAttributes, widgets }: BuiltInFacet): FacetRecord {
  return {
    ...{ slug, name: slug, description, built_in: true },
    definition: definition && { io_kind: definition.kind, io_role: definition.role },
    key_attributes: [...keyAttributes],
    widgets: widgets.map(({ id, title, kind, unit }) => ({ id, title, kind, unit })),
  }
}

export function toCustomRecord({ slug, name, description, version, created_at, updated_at }: StoredFacet): FacetRecord {
  return {
    ...{ slug, name, description, built_in: false, definition: null, key_attributes: [], widgets: [] },
    ...{ version, created_at, updated_at },
  }
}
