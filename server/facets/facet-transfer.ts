import type { components } from '../../openapi/types.ts'
import { collectFaults, type FieldFault, invalid, invalidFields } from '../problem/problem.ts'
import { checkText } from '../problem/record-input.ts'
import { importByName, type RecordTransfer, readNamedRecords } from '../transfer/record-transfer.ts'
import { builtInSlugs } from './built-in-facets.ts'
import { checkedSlug, type FacetContent, type StoredFacet, slugOf } from './facet-record.ts'
import type { FacetStore } from './facet-store.ts'

type ConfigFacet = components['schemas']['ConfigFacet']

/** A facet of an import under its slug, by which it is matched. */
interface SentFacet {
  readonly name: string
  readonly content: FacetContent
}

interface KnownFacet {
  readonly name: string
  readonly stored: StoredFacet
}

/** Exports and imports custom facets, matched by slug. */
export function facetTransfer(store: FacetStore): RecordTransfer {
  return {
    name: 'facets',
    async read(transaction, { org }) {
      const stored = await store.all(transaction, org)
      return stored.map(({ id, name, description }) => ({ slug: id, name, description }))
    },
    async prepare(records, pointer) {
      const sent = await readNamedRecords(records as readonly ConfigFacet[], pointer, readFacet, 'slug')
      return (transaction, author, mode) => {
        const facets = store.within(transaction, author)
        return importByName<SentFacet, KnownFacet>(sent, mode, {
          all: async () => (await facets.all()).map((stored) => ({ name: stored.id, stored })),
          isUnchanged: ({ stored }, { content }) =>
            stored.name === content.name && stored.description === content.description,
          insert: ({ name: slug, content }) => facets.insert(content, slug),
          replace: ({ stored }, { content }) => facets.replace(stored, content),
          remove: ({ stored }) => facets.remove(stored),
        })
      }
    },
  }
}

function readFacet({ slug, name, description = '' }: ConfigFacet, pointer: string): SentFacet {
  const faults: FieldFault[] = []
  collectFaults(faults, () => checkSlug(slug, `${pointer}/slug`))
  collectFaults(faults, () => checkedSlug(name, `${pointer}/name`))
  collectFaults(faults, () => checkText(description, `${pointer}/description`))
  if (faults.length > 0) throw invalidFields(faults)
  return { name: slug, content: { name, description } }
}

function checkSlug(slug: string, pointer: string): void {
  if (builtInSlugs.has(slug)) throw invalid(pointer, 'built_in', 'must not be the slug of a built-in facet')
  if (slugOf(slug) !== slug)
    throw invalid(pointer, 'format', 'must consist of lower-case letters and digits, joined by single hyphens')
}
