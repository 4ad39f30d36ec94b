/**
 * Accounts: the pages before the sign-in (first start, sign-in, sign-up, one-time links), and what administrators decide
 * about sessions. What a person changes of the own account stands in the settings.
 */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { Feature } from '../../lib/feature.ts'

export const accountsFeature: Feature = {
  name: 'accounts',
  firstRun: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: '/welcome',
      component: lazyRouteComponent(() => import('./first-run/page.tsx'), 'WelcomePage'),
    }),
  ],
  guestRoutes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: '/sign-in',
      component: lazyRouteComponent(() => import('./sign-in/page.tsx'), 'SignInPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/sign-up',
      component: lazyRouteComponent(() => import('./sign-in/page.tsx'), 'SignUpPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/forgot',
      component: lazyRouteComponent(() => import('./links/forgot.tsx'), 'ForgotPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/reset',
      component: lazyRouteComponent(() => import('./links/reset.tsx'), 'ResetPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/invite',
      component: lazyRouteComponent(() => import('./links/invite.tsx'), 'InvitePage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/verify-email',
      component: lazyRouteComponent(() => import('./links/verify-email.tsx'), 'VerifyEmailPage'),
    }),
  ],
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}
