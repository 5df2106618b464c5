import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { statusOf } from './app/api.ts'
import { PreferencesProvider } from './app/preferences.tsx'
import { router } from './app/router.tsx'
import './style/tokens.css'
import './style/base.css'
import './style/shell.css'
import './style/explanation.css'
import './style/pages.css'

const retriesMax = 2

const client = new QueryClient({
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: false,
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
        <RouterProvider router={router} />
      </PreferencesProvider>
    </QueryClientProvider>
  </StrictMode>,
)
