import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { accountsRoutes } from '@atrium/contract/accounts'
import { call } from '../api/client.ts'
import { showFirstPage } from '../lib/first-view.ts'
import { links } from '../lib/links.ts'
import { DelayedContent } from '../ui/skeleton.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { BareErrorPage, ErrorPage } from './error-page.tsx'
import { features } from './features.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { requireSession } from './session.ts'
import { Shell } from './shell/shell.tsx'
import { showDefaultTheme } from './theme.ts'

const root = createRootRoute({ component: Outlet, errorComponent: BareErrorPage, notFoundComponent: NotFoundPage })

/** Pages for people who are signed in; around them stands the shell. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: ({ location }) => requireSession(location.href),
  component: Shell,
  errorComponent: BareErrorPage,
})

const guestPages = createRoute({
  getParentRoute: () => root,
  id: 'guests',
  errorComponent: BareErrorPage,
  loader: async () => {
    const info = await call(accountsRoutes.systemInfo)
    if (!info.hasUsers) throw redirect({ href: links.welcome() })
    showDefaultTheme(info.defaultTheme)
    return info
  },
})
/** All addresses of the app. */
export const router = createRouter({
  routeTree: root.addChildren([
    shell.addChildren(features.flatMap((feature) => feature.routes?.(shell) ?? [])),
    ...features.flatMap((feature) => feature.firstRun?.(root) ?? []),
    guestPages.addChildren(features.flatMap((feature) => feature.guestRoutes?.(guestPages) ?? [])),
  ]),
  // Every value is a text, as everybody writes it: `1.0` is no number, and the quotation marks of a phrase belong to it.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch,
  defaultPreload: 'intent',
  // The query cache decides what is fresh.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 150,
  defaultPendingComponent: Waiting,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: false,
})

function stringifySearch(values: Record<string, unknown>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}

/** Begins to fetch what draws the page of this address: beside the question who is asking, not after it. */
export function preloadPage(): void {
  const [matched] = router.getMatchedRoutes(location.pathname)
  for (const { options } of matched) void options.component?.preload?.()
}

const stopWaiting = router.subscribe('onRendered', () => {
  stopWaiting()
  showFirstPage()
})

function Waiting() {
  return (
    <div className="grid h-full place-items-center text-muted">
      <DelayedContent>
        <Spinner size={20} label="…" />
      </DelayedContent>
    </div>
  )
}
