/**
 * The inbox: what concerns the account, at the bell and on a page of its own. What a kind says and where it leads is told
 * by `blocks/notification-kind`.
 */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { Bell } from 'lucide-react'
import { type ComponentType, lazy } from 'react'
import { defineActions } from '../../lib/actions.ts'
import type { Feature } from '../../lib/feature.ts'
import { links } from '../../lib/links.ts'

const path = links.notifications()

defineActions([
  {
    id: 'notifications.open',
    name: 'app:action.notifications',
    words: 'app:action.notificationsWords',
    icon: Bell,
    run: (go) => go(path),
  },
])

export const notificationsFeature: Feature = {
  name: 'notifications',
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path,
      component: lazyRouteComponent(() => import('./page.tsx'), 'NotificationsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: `${path}/$notificationId`,
      component: lazyRouteComponent(() => import('./open.tsx'), 'OpenNotification'),
    }),
  ],
  guestRoutes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: '/unsubscribe',
      component: lazyRouteComponent(() => import('./unsubscribe/page.tsx'), 'UnsubscribePage'),
    }),
  ],
  rail: {
    name: 'app:shell.notifications',
    icon: Bell,
    to: path,
    order: 70,
    onPhones: true,
    nameOnPhones: 'app:bar.inbox',
    owns: (at) => at === path,
    // Without a network it is not there, and the page goes on without it.
    badge: lazy(() =>
      import('./rail-badge.tsx').then(
        (module): { default: ComponentType } => ({ default: module.RailBadge }),
        (): { default: ComponentType } => ({ default: () => null }),
      ),
    ),
    panel: lazy(() => import('./panel.tsx').then((module) => ({ default: module.NotificationsPanel }))),
  },
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}
