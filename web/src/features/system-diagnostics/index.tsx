/** The state of the machine, the process and the container engine, for administrators. It shows what the server says now. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { defineActions } from '../../lib/actions.ts'
import type { Feature } from '../../lib/feature.ts'
import { links } from '../../lib/links.ts'

defineActions([
  {
    id: 'system.open',
    name: 'app:action.system',
    words: 'app:action.systemWords',
    icon: Server,
    adminOnly: true,
    run: (go) => go(links.system()),
  },
])

export const systemDiagnosticsFeature: Feature = {
  name: 'system-diagnostics',
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: '/system',
      component: lazyRouteComponent(() => import('./page.tsx'), 'SystemPage'),
    }),
  ],
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
  rail: {
    name: 'app:shell.system',
    icon: Server,
    to: links.system(),
    order: 85,
    adminOnly: true,
    owns: (path) => path === '/system',
  },
}
