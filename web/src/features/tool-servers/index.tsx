/** Tool servers: registered by administrators, with one's own way into each, and what they are called where they are shared. */
import { toolServersRoutes } from '@atrium/contract/tool-servers'
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
        refresh: () => refresh(toolServersRoutes.servers),
      },
    },
    words: () => import('virtual:words/tool-servers-names'),
  },
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
} satisfies Feature
