/** The agent daemon beside the server, for administrators. It shows what the daemon says, and keeps nothing itself. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { Bot } from 'lucide-react'
import { defineActions } from '../../lib/actions.ts'
import type { Feature } from '../../lib/feature.ts'
import { harnessLink, readSearch } from './search.ts'

defineActions([
  {
    id: 'harness.open',
    name: 'app:action.harness',
    words: 'app:action.harnessWords',
    icon: Bot,
    adminOnly: true,
    run: (go) => go(harnessLink()),
  },
])

export const agentHarnessFeature: Feature = {
  name: 'agent-harness',
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: '/harness',
      validateSearch: readSearch,
      component: lazyRouteComponent(() => import('./page.tsx'), 'HarnessPage'),
    }),
  ],
  rail: {
    name: 'app:shell.harness',
    icon: Bot,
    to: harnessLink(),
    order: 84,
    adminOnly: true,
    owns: (path) => path === '/harness',
  },
}
