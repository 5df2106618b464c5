import {
  type InvalidateQueryFilters,
  MutationCache,
  QueryCache,
  QueryClient,
  QueryClientProvider,
  type QueryKey,
} from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { I18nProvider } from 'react-aria-components'
import { createRoot } from 'react-dom/client'
import { statusOf } from './app/api.ts'
import { PreferencesProvider } from './app/preferences.tsx'
import { noteFailure, repeatUnanswered } from './app/recovery.ts'
import { router } from './app/router.tsx'
import { callerKey, isSignedOut } from './app/session.tsx'
import { focusFirstFault } from './parts/forms/first-fault.ts'
import './style/tokens.css'
import './style/base.css'
import './style/shell.css'
import './style/explanation.css'
import './style/pages.css'

const retriesMax = 2

/**
 * Handles a failed request. A response 401 makes the console read again who is signed in, so that it shows the sign-in
 * when a session has ended.
 */
function onError(error: Error, query?: { readonly queryKey: readonly unknown[] }) {
  const isAboutCaller = query?.queryKey[0] === callerKey[0]
  if (isSignedOut(error) && !isAboutCaller) void client.invalidateQueries({ queryKey: callerKey })
}

/** Whether a change was refused because of what was sent. */
function isRefused(error: Error): boolean {
  return [400, 409, 422].includes(statusOf(error) ?? 0)
}

/**
 * Invalidates what a change affects, including queries that are being sent for the first time, whose results may be
 * from before the change.
 */
class ConsoleClient extends QueryClient {
  override invalidateQueries<Key extends QueryKey>(filters?: InvalidateQueryFilters<Key>): Promise<void> {
    // The library ends only reads of what was read before.
    for (const query of this.getQueryCache().findAll(filters)) void query.cancel({ revert: true, silent: true })
    return super.invalidateQueries(filters)
  }
}

const client = new ConsoleClient({
  queryCache: new QueryCache({
    onError(error, query) {
      noteFailure(error, query)
      onError(error, query)
    },
    onSuccess: (_answer, query) => repeatUnanswered(client, query),
  }),
  mutationCache: new MutationCache({
    onError(error) {
      onError(error)
      if (isRefused(error)) focusFirstFault()
    },
  }),
  defaultOptions: {
    // The network state of a browser does not tell whether this server is reachable: it may run on the same machine.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnWindowFocus: false,
      refetchOnReconnect: ({ state }) => state.status === 'error',
      retry: (failures, error) => statusOf(error) === undefined && failures < retriesMax,
    },
  },
})

const element = document.getElementById('console')
if (element === null) throw new Error('The page has no element for the console.')
createRoot(element).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <PreferencesProvider>
        <I18nProvider locale="en-US">
          <RouterProvider router={router} />
        </I18nProvider>
      </PreferencesProvider>
    </QueryClientProvider>
  </StrictMode>,
)
