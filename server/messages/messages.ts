import type { KeyAttributesOf } from '../facets/key-attributes.ts'
import type { Deps } from '../feature.ts'
import { createChunkLengths } from '../telemetry/chunk-lengths.ts'
import { attributeHandlers } from './attribute-handlers.ts'
import { type MessageHandlerParts, messageHandlers } from './message-handlers.ts'

/** Message search and the completion of attribute keys and values. */
export function createMessages(deps: Deps, facets: { readonly keyAttributesOf: KeyAttributesOf }) {
  const search: MessageHandlerParts = {
    ...deps,
    keyAttributesOf: facets.keyAttributesOf,
    chunkLengths: createChunkLengths(),
  }
  return { search, handlers: { ...messageHandlers(search), ...attributeHandlers(deps) } }
}
