/**
 * The settings: one address for each section, built from the sections that all features register, with a search over
 * every entry. It stores nothing itself but what belongs to the account, the look and the instance.
 */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { Feature } from '../../lib/feature.ts'

const page = () => import('./page.tsx')

export const settingsFeature: Feature = {
  name: 'settings',
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: '/settings',
      component: lazyRouteComponent(page, 'SettingsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/settings/$section',
      component: lazyRouteComponent(page, 'SettingsPage'),
    }),
    // One thing of a section that has many: a connection, say.
    createRoute({
      getParentRoute: () => parent,
      path: '/settings/$section/$item',
      component: lazyRouteComponent(page, 'SettingsPage'),
    }),
  ],
  settings: () => import('./sections.ts').then((module) => module.settings),
}
