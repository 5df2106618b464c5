import { createRootRoute, createRoute, createRouter, Navigate, redirect } from '@tanstack/react-router'
import { AboutPage } from '../pages/about-page.tsx'
import { MessagePage } from '../pages/message/message-page.tsx'
import { MessagesPage } from '../pages/messages/messages-page.tsx'
import { StartPage } from '../pages/start-page.tsx'
import { NotFound } from './not-found.tsx'
import { readMessageSearch, readMessagesSearch } from './search.ts'
import { useCaller } from './session.tsx'
import { Shell } from './shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

const routeTree = root.addChildren([
  createRoute({ getParentRoute: () => root, path: '/', validateSearch: readMessagesSearch, component: MessagesPage }),
  createRoute({
    getParentRoute: () => root,
    path: '/messages/$id',
    validateSearch: readMessageSearch,
    component: MessagePage,
  }),
  createRoute({ getParentRoute: () => root, path: '/start', component: StartPage }),
  createRoute({ getParentRoute: () => root, path: '/about', component: AboutPage }),
  // The shell shows the sign-in where there is no session. With one there is nothing to do here.
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    component: SignedIn,
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/messages',
    beforeLoad: () => {
      throw redirect({ to: '/' })
    },
  }),
])

/** Leads on once there is a session. */
function SignedIn() {
  return useCaller().isSuccess ? <Navigate to="/" /> : null
}

export const router = createRouter({
  routeTree,
  basepath: new URL(document.baseURI).pathname.replace(/\/$/, ''),
  defaultPreload: false,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
