/** Search over everything: chats, messages and documents in one list, each hit opening where it stands. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { TextSearch } from 'lucide-react'
import { defineActions } from '../../lib/actions.ts'
import type { Feature } from '../../lib/feature.ts'
import { links } from '../../lib/links.ts'

defineActions([
  {
    id: 'search.open',
    name: 'app:action.search',
    words: 'app:action.searchWords',
    keys: 'Mod+Shift+F',
    icon: TextSearch,
    run: (go) => go(links.search()),
  },
])

export const searchFeature: Feature = {
  name: 'search',
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: '/search',
      validateSearch: ({ q }: Record<string, unknown>): { q?: string } =>
        typeof q === 'string' ? { q: q.slice(0, 400) } : {},
      component: lazyRouteComponent(() => import('./page.tsx'), 'SearchPage'),
    }),
  ],
}
