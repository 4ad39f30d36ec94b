import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { authentication } from '@atrium/contract/authentication'
import { call } from '../api/client.ts'
import { links } from '../lib/links.ts'
import { Delayed } from '../ui/skeleton.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { BareErrorPage, ErrorPage } from './error-page.tsx'
import { features } from './features.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { requireSession } from './session.ts'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({ component: Outlet, errorComponent: BareErrorPage, notFoundComponent: NotFoundPage })

/** Pages for people who are signed in; around them stands the shell. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: ({ location }) => requireSession(location.href),
  component: Shell,
  errorComponent: BareErrorPage,
})

const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  component: lazyRouteComponent(() => import('../features/first-run/page.tsx'), 'WelcomePage'),
})

const guestPages = createRoute({
  getParentRoute: () => root,
  id: 'guests',
  errorComponent: BareErrorPage,
  loader: async () => {
    const info = await call(authentication.systemInfo)
    if (!info.hasUsers) throw redirect({ href: links.welcome() })
    return info
  },
})
const signIn = createRoute({
  getParentRoute: () => guestPages,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('../features/sign-in/page.tsx'), 'SignInPage'),
})
const signUp = createRoute({
  getParentRoute: () => guestPages,
  path: '/sign-up',
  component: lazyRouteComponent(() => import('../features/sign-in/page.tsx'), 'SignUpPage'),
})

const forgot = createRoute({
  getParentRoute: () => guestPages,
  path: '/forgot',
  component: lazyRouteComponent(() => import('../features/links/forgot.tsx'), 'ForgotPage'),
})
const reset = createRoute({
  getParentRoute: () => guestPages,
  path: '/reset',
  component: lazyRouteComponent(() => import('../features/links/reset.tsx'), 'ResetPage'),
})
const invite = createRoute({
  getParentRoute: () => guestPages,
  path: '/invite',
  component: lazyRouteComponent(() => import('../features/links/invite.tsx'), 'InvitePage'),
})
const verifyEmail = createRoute({
  getParentRoute: () => guestPages,
  path: '/verify-email',
  component: lazyRouteComponent(() => import('../features/links/verify-email.tsx'), 'VerifyEmailPage'),
})

/** All addresses of the app. */
export const router = createRouter({
  routeTree: root.addChildren([
    shell.addChildren(features.flatMap((feature) => feature.routes?.(shell) ?? [])),
    welcome,
    guestPages.addChildren([signIn, signUp, forgot, reset, invite, verifyEmail]),
  ]),
  defaultPreload: 'intent',
  // The query cache decides what is fresh.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 150,
  defaultPendingComponent: Waiting,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: false,
})

function Waiting() {
  return (
    <div className="grid h-full place-items-center text-muted">
      <Delayed>
        <Spinner size={20} label="…" />
      </Delayed>
    </div>
  )
}
