/** What opens a list while one writes in a chat: actions, models, and what can be read along. */
import { lazy } from 'react'
import type { Trigger } from '../../../../blocks/composer/triggers/types.ts'

export const chatTriggers: readonly Trigger[] = [
  {
    sign: '/',
    label: 'chat-compose:trigger.actions',
    Source: lazy(() => import('./action-entries.tsx').then((module) => ({ default: module.ActionEntries }))),
  },
  {
    sign: '@',
    label: 'chat-compose:trigger.models',
    Source: lazy(() => import('./model-entries.tsx').then((module) => ({ default: module.ModelEntries }))),
  },
  {
    sign: '#',
    label: 'chat-compose:trigger.sources',
    Source: lazy(() => import('./source-entries.tsx').then((module) => ({ default: module.SourceEntries }))),
  },
]
