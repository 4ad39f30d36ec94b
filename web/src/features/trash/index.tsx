/**
 * The trash: everything deleted that can be restored, of every kind, until it is deleted for good. What a kind is called
 * and which lists it stands in is told by the feature that has it.
 */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { defineActions } from '../../lib/actions.ts'
import type { Feature } from '../../lib/feature.ts'
import { links } from '../../lib/links.ts'

defineActions([
  {
    // Keys that people chose for it are stored by this id.
    id: 'chat.trash-page',
    name: 'app:action.trash',
    words: 'app:action.trashWords',
    icon: Trash2,
    run: (go) => go(links.trash()),
  },
])

export const trashFeature: Feature = {
  name: 'trash',
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: '/trash',
      component: lazyRouteComponent(() => import('./page.tsx'), 'TrashPage'),
    }),
  ],
}
