/** Automations: what runs by itself, and how it went. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { Workflow } from 'lucide-react'
import { lazy } from 'react'
import { defineActions } from '../../lib/actions.ts'
import type { Feature } from '../../lib/feature.ts'
import { links } from '../../lib/links.ts'

const path = links.automations()

defineActions([
  {
    id: 'automations.open',
    name: 'app:action.automations',
    words: 'app:action.automationsWords',
    icon: Workflow,
    run: (go) => go(path),
  },
  {
    id: 'automations.new',
    name: 'app:action.newAutomation',
    words: 'app:action.newAutomationWords',
    icon: Workflow,
    run: (go) => go(links.automation('new')),
  },
])

export const automationsFeature = {
  name: 'automations',
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path,
      component: lazyRouteComponent(() => import('./page.tsx'), 'AutomationsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: `${path}/runs`,
      component: lazyRouteComponent(() => import('./runs/page.tsx'), 'RunsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: `${path}/$automationId`,
      component: lazyRouteComponent(() => import('./editor/page.tsx'), 'AutomationPage'),
    }),
  ],
  rail: {
    name: 'app:shell.automations',
    icon: Workflow,
    to: path,
    order: 60,
    owns: (at) => at === path || at.startsWith(`${path}/`),
    badge: lazy(() => import('./rail-badge.tsx').then((module) => ({ default: module.RailBadge }))),
  },
  resources: {
    kinds: {
      automation: {
        icon: Workflow,
        link: ({ id }) => links.automation(id),
        refresh: () => import('./changes.ts').then((module) => module.refreshAutomations()),
      },
    },
    words: () => import('virtual:words/automations-names'),
  },
} satisfies Feature
