import type { HandlerRequest, Handlers } from '../http/handlers.ts'
import { readNewest } from '../http/paging.ts'
import { visibleTo } from '../integrations/integration-store.ts'
import { type MessageHandlerParts, searchMessages } from '../messages/message-handlers.ts'
import { deleteRecord, updateRecord } from '../metadata/edit-record.ts'
import { notFound, problem, raise } from '../problem/problem.ts'
import { checkView, windowDefault } from './view-content.ts'
import { namesDeletedIntegration, type StoredView, toViewRecord, type ViewContent } from './view-record.ts'
import type { ViewStore } from './view-store.ts'

export interface ViewHandlerParts {
  readonly store: ViewStore
  /** What a search of messages needs: a view is run as one. */
  readonly messages: MessageHandlerParts
}

type ViewOperations =
  | 'listSavedViews'
  | 'createSavedView'
  | 'getSavedView'
  | 'updateSavedView'
  | 'deleteSavedView'
  | 'searchSavedView'

/** Takes requests already checked against the OpenAPI document, from a caller already allowed in. */
export function viewHandlers({ store, messages }: ViewHandlerParts): Handlers<ViewOperations> {
  return {
    listSavedViews: (request) => listViews(store, request),
    async createSavedView({ caller, body }) {
      const stored = await store.insert(caller.org, checkView(newContent(body)))
      const headers = { Location: `/api/v1/saved-views/${stored.id}` }
      return { status: 201, headers, body: toViewRecord(stored) }
    },
    async getSavedView({ caller, path: { id } }) {
      return { status: 200, body: toViewRecord(await visibleView(store, caller, id)) }
    },
    async updateSavedView({ caller, path: { id }, headers, body }) {
      const edited = { org: caller.org, id, ifMatch: headers['If-Match'] }
      const stored = await updateRecord(store, edited, (current) => checkView(changedContent(current, body)))
      return { status: 200, body: toViewRecord(stored) }
    },
    async deleteSavedView({ caller, path: { id }, headers }) {
      await deleteRecord(store, { org: caller.org, id, ifMatch: headers['If-Match'] })
      return { status: 204 }
    },
    async searchSavedView({ caller, path: { id }, body, signal }) {
      const view = await visibleView(store, caller, id)
      if (namesDeletedIntegration(view)) throw integrationDeleted(view)
      return searchMessages(messages, { caller, signal, body: searchOf(view, body) })
    },
  }
}

async function listViews(store: ViewStore, { caller, query }: HandlerRequest<'listSavedViews'>) {
  const visible = visibleTo(caller)
  const page = await readNewest(['saved views', visible.org, visible.grantedTo ?? null], query, (newest) =>
    store.list(visible, newest),
  )
  return { status: 200 as const, body: { ...page, items: page.items.map(toViewRecord) } }
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

/** Null takes integration or status away. */
function changedContent(
  { name, description, rows, window, integrationId, status }: StoredView,
  { integration_id, status: sentStatus, ...changes }: HandlerRequest<'updateSavedView'>['body'],
): ViewContent {
  const nextIntegrationId = integration_id === undefined ? integrationId : (integration_id ?? undefined)
  const nextStatus = sentStatus === undefined ? status : (sentStatus ?? undefined)
  return {
    ...{ name, description, rows, window, ...changes },
    ...(nextIntegrationId === undefined ? {} : { integrationId: nextIntegrationId }),
    ...(nextStatus === undefined ? {} : { status: nextStatus }),
  }
}

/** What the view asks, of its own window or the one that was sent. */
function searchOf(
  { rows, integrationId, status, window: { kind: _, ...ownWindow } }: StoredView,
  { from, to, ...page }: HandlerRequest<'searchSavedView'>['body'],
) {
  const isOverridden = from !== undefined || to !== undefined
  return {
    ...page,
    rows,
    ...(integrationId === undefined ? {} : { integration_id: integrationId }),
    ...(status === undefined ? {} : { status }),
    ...(isOverridden ? { ...(from && { from }), ...(to && { to }) } : ownWindow),
  }
}

function integrationDeleted({ name }: StoredView): Error {
  return problem(
    'integration_deleted',
    `The integration that the saved view ${JSON.stringify(name)} names has been deleted. Name another one, or none.`,
  )
}
