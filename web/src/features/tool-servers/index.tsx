/** Tool servers: what they are called wherever kinds of things are shown, such as where one is shared. */
import { Plug } from 'lucide-react'
import type { Feature } from '../../lib/feature.ts'
import { links } from '../../lib/links.ts'

export const toolServersFeature = {
  name: 'tool-servers',
  resources: {
    kinds: {
      'tool-server': { icon: Plug, link: () => links.settings(), refresh: async () => undefined },
    },
    words: () => import('virtual:words/tool-servers-names'),
  },
} satisfies Feature
