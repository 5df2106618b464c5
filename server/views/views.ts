import { mapPaced } from '../background/pace.ts'
import type { Deps } from '../feature.ts'
import type { HandlerRequest, Handlers } from '../http/contract/handlers.ts'
import { readNewest } from '../http/paging.ts'
import { visibleTo } from '../integrations/integration-store.ts'
import type { SearchMessages } from '../messages/messages.ts'
import { deleteRecord, updateRecord } from '../metadata/edit-record.ts'
import { notFound, problem, raise } from '../problem/problem.ts'
import {
  checkView,
  namesDeletedIntegration,
  type StoredView,
  toViewRecord,
  type ViewContent,
  windowDefault,
} from './view-record.ts'
import { createViewStore, type ViewStore } from './view-store.ts'
import { viewTransfer } from './view-transfer.ts'

type ViewOperations =
  | 'listSavedViews'
  | 'createSavedView'
  | 'getSavedView'
  | 'updateSavedView'
  | 'deleteSavedView'
  | 'searchSavedView'

/** Creates saved views. Each stores a message search and runs it on request. */
export function createViews(deps: Deps, searchMessages: SearchMessages) {
  const store = createViewStore(deps)
  return { handlers: viewHandlers(store, searchMessages), transfers: [viewTransfer(store)] }
}

function viewHandlers(store: ViewStore, searchMessages: SearchMessages): Handlers<ViewOperations> {
  return {
    listSavedViews: (request) => listViews(store, request),
    async createSavedView(request) {
      const stored = await store.insert(request, checkView(newContent(request.body)))
      const headers = { Location: `/api/v1/saved-views/${stored.id}` }
      return { status: 201, headers, body: toViewRecord(stored) }
    },
    async getSavedView({ caller, path: { id } }) {
      return { status: 200, body: toViewRecord(await visibleView(store, caller, id)) }
    },
    async updateSavedView(request) {
      const { path, headers, body } = request
      const edited = { author: request, id: path.id, ifMatch: headers['If-Match'] }
      const stored = await updateRecord(store, edited, (current) => checkView(changedContent(current, body)))
      return { status: 200, body: toViewRecord(stored) }
    },
    async deleteSavedView(request) {
      const { path, headers } = request
      await deleteRecord(store, { author: request, id: path.id, ifMatch: headers['If-Match'] })
      return { status: 204 }
    },
    async searchSavedView({ caller, path: { id }, body, signal }) {
      const view = await visibleView(store, caller, id)
      if (namesDeletedIntegration(view)) throw integrationDeleted(view)
      return searchMessages({ caller, signal, body: searchOf(view, body) })
    },
  }
}

async function listViews(store: ViewStore, { caller, query }: HandlerRequest<'listSavedViews'>) {
  const visible = visibleTo(caller)
  const page = await readNewest(['saved views', visible.org, visible.grantedTo ?? null], query, (newest) =>
    store.list(visible, newest),
  )
  return { status: 200 as const, body: { ...page, items: await mapPaced(page.items, toViewRecord) } }
}

async function visibleView(
  store: ViewStore,
  caller: HandlerRequest<'getSavedView'>['caller'],
  id: string,
): Promise<StoredView> {
  return (await store.find(visibleTo(caller), id)) ?? raise(notFound('saved view', id))
}

function newContent({
  description = '',
  rows = [],
  window = windowDefault,
  integration_id: integrationId,
  ...rest
}: HandlerRequest<'createSavedView'>['body']): ViewContent {
  return { ...rest, description, rows, window, ...(integrationId === undefined ? {} : { integrationId }) }
}

/** Applies a change to a view. An `integration_id` or `status` of null removes it from the view. */
function changedContent(
  current: StoredView,
  { integration_id, status: sentStatus, ...changes }: HandlerRequest<'updateSavedView'>['body'],
): ViewContent {
  const integrationId = integration_id === undefined ? current.integrationId : (integration_id ?? undefined)
  const status = sentStatus === undefined ? current.status : (sentStatus ?? undefined)
  return {
    name: current.name,
    description: current.description,
    rows: current.rows,
    ...(current.relations === undefined ? {} : { relations: current.relations }),
    ...(current.order === undefined ? {} : { order: current.order }),
    ...(current.columns === undefined ? {} : { columns: current.columns }),
    window: current.window,
    ...changes,
    ...(integrationId === undefined ? {} : { integrationId }),
    ...(status === undefined ? {} : { status }),
  }
}

/** Returns the search that a view stores. A window in the request takes precedence over that of the view. */
function searchOf(
  { rows, relations, order, columns, integrationId, status, window: { kind: _, ...ownWindow } }: StoredView,
  { from, to, ...page }: HandlerRequest<'searchSavedView'>['body'],
) {
  const isOverridden = from !== undefined || to !== undefined
  return {
    ...page,
    rows,
    ...(relations === undefined ? {} : { relations }),
    ...(order === undefined ? {} : { order }),
    ...(columns === undefined ? {} : { columns }),
    ...(integrationId === undefined ? {} : { integration_id: integrationId }),
    ...(status === undefined ? {} : { status }),
    ...(isOverridden ? { ...(from && { from }), ...(to && { to }) } : ownWindow),
  }
}

function integrationDeleted({ name }: StoredView): Error {
  const message = `The integration of the saved view ${JSON.stringify(name)} has been deleted.`
  return problem('integration_deleted', `${message} Choose another integration, or none.`)
}
