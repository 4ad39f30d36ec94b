import type { Message } from '@atrium/contract/chat'
import { RightPane } from '../../../ui/right-pane.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import type { Conversation } from '../open/conversation.ts'
import type { OpenChat } from '../open/store.ts'
import { useText } from '../texts.ts'
import { ChatSettingsForm } from './chat-settings.tsx'
import { SourcesTab } from './sources-tab.tsx'

export type PaneTab = 'sources' | 'settings'

/** What stands beside a chat: the sources of an answer, and the chat's own settings. */
export function ChatPane({
  chat,
  conversation,
  tab,
  sourcesOf,
  onTab,
  onClose,
}: {
  chat: OpenChat
  conversation: Conversation
  tab: PaneTab
  /** The message whose sources are shown; without one, the last that has any. */
  sourcesOf: string | null
  onTab: (tab: PaneTab) => void
  onClose: () => void
}) {
  const t = useText('chat')
  const withSources = (m: Message) => m.sources.length > 0
  const message =
    conversation.messages.find((m) => m.id === sourcesOf && withSources(m)) ??
    conversation.messages.findLast(withSources)
  return (
    <RightPane open onClose={onClose} title={t('pane.title')}>
      <Tabs
        label={t('pane.title')}
        value={tab}
        onChange={(value) => onTab(value as PaneTab)}
        className="h-full px-4 pt-1 pb-4"
        tabs={[
          {
            value: 'settings',
            label: t('pane.settings'),
            content: <ChatSettingsForm chat={chat} conversation={conversation} />,
          },
          {
            value: 'sources',
            label: message ? t('pane.sources', { count: message.sources.length }) : t('sources.title'),
            content: <SourcesTab message={message} />,
          },
        ]}
      />
    </RightPane>
  )
}
