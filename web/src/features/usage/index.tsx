/**
 * What calls to providers were made and what they cost: the administrators' page with prices and budgets, and the own
 * figures in everybody's settings. It shows what the server counted and computes nothing but shares.
 */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { ChartColumn } from 'lucide-react'
import { defineActions } from '../../lib/actions.ts'
import type { Feature } from '../../lib/feature.ts'
import { links } from '../../lib/links.ts'
import { readSearch } from './search.ts'

defineActions([
  {
    id: 'usage.open',
    name: 'app:action.usage',
    words: 'app:action.usageWords',
    icon: ChartColumn,
    adminOnly: true,
    run: (go) => go(links.usage()),
  },
  {
    id: 'usage.policy',
    name: 'app:action.usagePolicy',
    words: 'app:action.usagePolicyWords',
    icon: ChartColumn,
    adminOnly: true,
    run: (go) => go(`${links.usage()}?tab=policy`),
  },
])

export const usageFeature: Feature = {
  name: 'usage',
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: '/usage',
      validateSearch: readSearch,
      component: lazyRouteComponent(() => import('./page.tsx'), 'UsagePage'),
    }),
  ],
  rail: {
    name: 'app:shell.usage',
    icon: ChartColumn,
    to: links.usage(),
    order: 80,
    adminOnly: true,
    owns: (path) => path === '/usage',
  },
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}
