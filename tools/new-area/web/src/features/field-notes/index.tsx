/** Field notes: one page with all of them, those of others too. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { Shapes } from 'lucide-react'
import { defineActions } from '../../lib/actions.ts'
import type { Feature } from '../../lib/feature.ts'
// With the app, as the rail and the settings name the area, too.
import 'virtual:words/field-notes'

const path = '/field-notes'

defineActions([
  {
    id: 'field-notes.open',
    name: 'field-notes:open',
    icon: Shapes,
    run: (go) => go(path),
  },
])

export const fieldNotesFeature = {
  name: 'field-notes',
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path,
      component: lazyRouteComponent(() => import('./page.tsx'), 'FieldNotesPage'),
    }),
  ],
  rail: { name: 'field-notes:title', icon: Shapes, to: path, order: 30, owns: (at) => at === path },
  resources: {
    kinds: {
      'field-note': {
        icon: Shapes,
        link: () => path,
        refresh: () => import('./changes.ts').then((module) => module.refreshFieldNotes()),
      },
    },
    words: () => import('virtual:words/field-notes-names'),
  },
} satisfies Feature
