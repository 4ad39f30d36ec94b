/**
 * What others share with the account, of every kind, and what it shares. How a thing is shared and given back is the business of
 * `blocks/share` and `blocks/shared-with-me`; what a kind is called is told by the feature that has it.
 */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { Share2, UsersRound } from 'lucide-react'
import { defineActions } from '../../lib/actions.ts'
import type { Feature } from '../../lib/feature.ts'
import { links } from '../../lib/links.ts'

defineActions([
  {
    // Keys that people chose for it are stored by this id.
    id: 'chat.shared-page',
    name: 'app:action.shared',
    words: 'app:action.sharedWords',
    icon: UsersRound,
    run: (go) => go(links.shared()),
  },
  {
    id: 'access.shared-by-me',
    name: 'app:action.sharedByMe',
    words: 'app:action.sharedByMeWords',
    icon: Share2,
    run: (go) => go(links.sharedByMe()),
  },
])

export const accessFeature: Feature = {
  name: 'access',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: '/shared',
      component: lazyRouteComponent(() => import('./page.tsx'), 'SharedPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/shared/by-me',
      component: lazyRouteComponent(() => import('./by-me.tsx'), 'SharedByMePage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/shared/transfers',
      component: lazyRouteComponent(() => import('./transfers.tsx'), 'TransfersPage'),
    }),
  ],
}
