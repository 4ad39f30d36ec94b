/** Code that models write and people run: who may, and the files that it leaves. */
import { SquareTerminal } from 'lucide-react'
import type { Feature } from '../../lib/feature.ts'
import { links } from '../../lib/links.ts'

export const codeInterpreterFeature = {
  name: 'code-interpreter',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
  resources: {
    kinds: {
      'code-file': {
        icon: SquareTerminal,
        link: ({ chatId }) => (chatId ? links.chat(chatId) : links.newChat()),
        refresh: async () => undefined,
      },
    },
    words: () => import('virtual:words/code-interpreter-names'),
  },
} satisfies Feature
