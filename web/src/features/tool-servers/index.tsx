/** Tool servers: registered by administrators, with one's own way into each, and what they are called where they are shared. */
import { Plug } from 'lucide-react'
import { refresh } from '../../api/query.ts'
import type { Feature } from '../../lib/feature.ts'
import { links } from '../../lib/links.ts'

export const toolServersFeature = {
  name: 'tool-servers',
  resources: {
    kinds: {
      'tool-server': {
        icon: Plug,
        link: ({ id }) => links.toolServer(id),
        refresh: () =>
          import('@atrium/contract/tool-servers').then(({ toolServersRoutes }) => refresh(toolServersRoutes.servers)),
      },
    },
    words: () => import('virtual:words/tool-servers-names'),
  },
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
} satisfies Feature
