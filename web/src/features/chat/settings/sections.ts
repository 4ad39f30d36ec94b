import { MessageSquare } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/chat-settings'

/** How chatting works, as a page of the settings; and summaries, for administrators. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'chat',
      name: 'chat-settings:section',
      icon: MessageSquare,
      group: 'you',
      order: 30,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.ChatSettingsPage }))),
      entries: settingsEntries('chat-settings', [
        'defaultModel',
        'sendKey',
        'follow',
        'showThinking',
        'generateTitles',
        'titleModel',
        'followUps',
        'pasteAsFile',
        'pasteThreshold',
        'systemMessage',
        'temperature',
        'maxTokens',
        'contextWindow',
        'modelOptions',
      ]),
    },
  ],
  parts: [
    {
      section: 'instance',
      order: 10,
      part: lazy(() => import('./compaction.tsx').then((module) => ({ default: module.Compaction }))),
      entries: settingsEntries('chat-settings', ['compaction']),
    },
  ],
}
