import type { components } from '../../openapi/types.ts'
import type { Versioned } from '../metadata/record-model.ts'
import { invalid, raise } from '../problem/problem.ts'
import { checkName } from '../problem/record-input.ts'
import type { BuiltInFacet } from './built-in-facets.ts'

export type FacetRecord = components['schemas']['Facet']

/** The editable content of a custom facet. */
export interface FacetContent {
  readonly name: string
  readonly description: string
}

/** A custom facet. Its id is the slug of its first name and never changes. */
export interface StoredFacet extends FacetContent, Versioned {}

export function toBuiltInRecord({ slug, description, definition, keyAttributes, widgets }: BuiltInFacet): FacetRecord {
  return {
    slug,
    name: slug,
    description,
    built_in: true,
    definition: definition && { io_kind: definition.kind, io_role: definition.role },
    key_attributes: [...keyAttributes],
    widgets: [...widgets],
  }
}

export function toCustomRecord({ id, name, description, version, created_at, updated_at }: StoredFacet): FacetRecord {
  return {
    slug: id,
    name,
    description,
    built_in: false,
    definition: null,
    key_attributes: [],
    widgets: [],
    version,
    created_at,
    updated_at,
  }
}

const slugCharactersMax = 100

/**
 * Derives the slug of a facet from its name: in compatibility form and lower case, with each run of characters other
 * than letters, marks and digits replaced by one hyphen. Returns undefined for a name without letters, marks and
 * digits.
 */
export function slugOf(name: string): string | undefined {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .match(/[\p{L}\p{M}\p{N}]+/gu)
  const slug = [...(words ?? []).join('-')].slice(0, slugCharactersMax).join('').replace(/-$/, '')
  return slug === '' ? undefined : slug
}

/**
 * Checks the name of a custom facet and returns its slug. `pointer` locates the name in the request body.
 * @throws Problem 400
 */
export function checkedSlug(name: string, pointer: string): string {
  checkName(name, pointer)
  return slugOf(name) ?? raise(invalid(pointer, 'no_letters', 'must contain at least one letter or digit'))
}
