import type { Deps } from '../feature.ts'
import type { MessageHandlerParts } from '../messages/message-handlers.ts'
import { viewHandlers } from './view-handlers.ts'
import { createViewStore } from './view-store.ts'
import { viewTransfer } from './view-transfer.ts'

/** Saved views, each of which stores a message search and runs it. */
export function createViews(deps: Deps, messages: MessageHandlerParts) {
  const store = createViewStore(deps)
  return { handlers: viewHandlers({ store, messages }), transfers: [viewTransfer(store)] }
}
