import type { components } from '../../openapi/types.ts'
import { collectFaults, type FieldFault, invalid, invalidFields } from '../problem/problem.ts'
import { checkName, checkText } from '../problem/record-input.ts'
import { importByName, type RecordTransfer, readNamedRecords } from '../transfer/record-transfer.ts'
import { builtInSlugs } from './built-in.ts'
import type { FacetContent, StoredFacet } from './facet-record.ts'
import { allFacets, insertFacet, removeFacet, replaceFacet } from './facet-store.ts'
import { slugOf } from './slug.ts'

type ConfigFacet = components['schemas']['ConfigFacet']

interface SentFacet {
  /** Its slug, by which it is matched. */
  readonly name: string
  readonly content: FacetContent
}

interface KnownFacet {
  readonly name: string
  readonly stored: StoredFacet
}

/** Custom facets in exports and imports, matched by slug. */
export function facetTransfer({ now }: { now: () => Date }): RecordTransfer {
  return {
    name: 'facets',
    async read(transaction, org) {
      return (await allFacets(transaction, org)).map(({ slug, name, description }) => ({ slug, name, description }))
    },
    prepare(records, pointer) {
      const sent = readNamedRecords(records as readonly ConfigFacet[], pointer, readFacet, 'slug')
      return (transaction, org, mode) => {
        const moment = now().toISOString()
        return importByName<SentFacet, KnownFacet>(sent, mode, {
          all: async () => (await allFacets(transaction, org)).map((stored) => ({ name: stored.slug, stored })),
          isUnchanged: ({ stored }, { content }) =>
            stored.name === content.name && stored.description === content.description,
          insert: ({ name: slug, content }) => insertFacet(transaction, org, { slug, ...content }, moment),
          replace: async ({ stored }, { content }) =>
            (await replaceFacet(transaction, org, stored, content, moment)) !== undefined,
          remove: ({ stored }) => removeFacet(transaction, org, stored),
        })
      }
    },
  }
}

function readFacet({ slug, name, description = '' }: ConfigFacet, pointer: string): SentFacet {
  const faults: FieldFault[] = []
  collectFaults(faults, () => checkSlug(slug, `${pointer}/slug`))
  collectFaults(faults, () => checkName(name, `${pointer}/name`))
  collectFaults(faults, () => checkText(description, `${pointer}/description`))
  if (faults.length > 0) throw invalidFields(faults)
  return { name: slug, content: { name, description } }
}

function checkSlug(slug: string, pointer: string): void {
  if (builtInSlugs.has(slug)) throw invalid(pointer, 'built_in', 'is the slug of a built-in facet')
  if (slugOf(slug) !== slug) throw invalid(pointer, 'format', 'is no slug that a name gives')
}
