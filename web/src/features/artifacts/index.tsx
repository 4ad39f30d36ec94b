/** Artifacts: a page with all of them, and one for each. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { Shapes } from 'lucide-react'
import { defineActions } from '../../lib/actions.ts'
import type { Feature } from '../../lib/feature.ts'
import { links } from '../../lib/links.ts'
import { readSearch } from './search.ts'

const path = links.artifacts()

defineActions([
  {
    id: 'artifacts.open',
    name: 'app:action.artifacts',
    words: 'app:action.artifactsWords',
    icon: Shapes,
    run: (go) => go(path),
  },
])

export const artifactsFeature = {
  name: 'artifacts',
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path,
      validateSearch: readSearch,
      component: lazyRouteComponent(() => import('./page.tsx'), 'ArtifactsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: `${path}/$artifactId`,
      component: lazyRouteComponent(() => import('./artifact-page.tsx'), 'ArtifactPage'),
    }),
  ],
  guestRoutes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: '/shared-artifact',
      component: lazyRouteComponent(() => import('./visit/page.tsx'), 'LinkedArtifactPage'),
    }),
  ],
  rail: {
    name: 'app:shell.artifacts',
    icon: Shapes,
    to: path,
    order: 35,
    owns: (at) => at === path || at.startsWith(`${path}/`),
  },
  resources: {
    kinds: {
      artifact: {
        icon: Shapes,
        link: ({ id }) => links.artifact(id),
        refresh: () => import('../../blocks/artifact/changes.ts').then((module) => module.refreshArtifacts()),
        hasContent: true,
      },
    },
    words: () => import('virtual:words/artifacts-names'),
  },
} satisfies Feature
