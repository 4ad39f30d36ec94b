/** The gallery: one page with everything that was made or uploaded. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { Images } from 'lucide-react'
import { defineActions } from '../../lib/actions.ts'
import type { Feature } from '../../lib/feature.ts'
import { links } from '../../lib/links.ts'
import { readSearch } from './search.ts'
import 'virtual:words/media-gallery-shell'

defineActions([
  {
    id: 'media-gallery.open',
    name: 'media-gallery-shell:open',
    icon: Images,
    run: (go) => go(links.gallery()),
  },
])

export const mediaGalleryFeature = {
  name: 'media-gallery',
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: '/gallery',
      validateSearch: readSearch,
      component: lazyRouteComponent(() => import('./page.tsx'), 'GalleryPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/gallery/$mediaId',
      validateSearch: readSearch,
      component: lazyRouteComponent(() => import('./item-page.tsx'), 'ItemPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/gallery/$mediaId/edit',
      component: lazyRouteComponent(() => import('./edit/page.tsx'), 'EditPage'),
    }),
  ],
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
  rail: {
    name: 'media-gallery-shell:title',
    icon: Images,
    to: links.gallery(),
    order: 30,
    owns: (path) => path === '/gallery' || path.startsWith('/gallery/'),
  },
  resources: {
    kinds: {
      media: {
        icon: Images,
        link: ({ id }) => links.galleryItem(id),
        refresh: () => import('./changes.ts').then((module) => module.refreshGallery()),
        hasContent: true,
      },
    },
    words: () => import('virtual:words/media-gallery-names'),
  },
} satisfies Feature
