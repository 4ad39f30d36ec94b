import type { Message } from '@atrium/contract/chat'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { useAction } from '../../../lib/actions.ts'
import type { Conversation } from '../open/conversation.ts'
import type { OpenChat } from '../open/store.ts'
import type { Thread } from '../thread/context.ts'
import type { OpenBlock } from './block-tab.tsx'
import type { OpenDocument, PaneTab } from './chat-pane.tsx'

/** The pane lies beside the page, and not over it. */
const roomBeside = '(min-width: 1100px)'

const ChatPane = lazy(() => import('./chat-pane.tsx').then(({ ChatPane }) => ({ default: ChatPane })))

/** Whether something stands beside a chat, and what. */
export type Pane = ReturnType<typeof usePane>

/** What stands beside a chat, and the ways to open it that its rows have. */
export function usePane() {
  const [tab, setTab] = useState<PaneTab | null>(null)
  const [sourcesOf, setSourcesOf] = useState<string | null>(null)
  const [opened, setOpened] = useState<OpenDocument | null>(null)
  const [artifact, setArtifact] = useState<string | null>(null)
  /** What a model is writing is shown in the place of the artifact, as long as it does. */
  const [showsDraft, setShowsDraft] = useState(false)
  const [block, setBlock] = useState<OpenBlock | null>(null)
  /** Somebody closed an artifact here: none opens by itself any more. */
  const wasClosed = useRef(false)
  /** The last that opened by itself. */
  const offered = useRef<string>(null)
  const ways = useMemo<
    Pick<Thread, 'showSources' | 'openSource' | 'showDocuments' | 'openArtifact' | 'openDraft' | 'openBlock'>
  >(
    () => ({
      showSources(message: Message) {
        setSourcesOf(message.id)
        setTab('sources')
      },
      openSource({ documentId, startChar, endChar, location }, claim) {
        if (!documentId) return
        const page = location?.kind === 'page' ? (location.number ?? undefined) : undefined
        setOpened({ documentId, target: { startChar, endChar, page, claim } })
        setTab('document')
      },
      showDocuments: () => setTab('documents'),
      openArtifact(id, unasked = false) {
        if (unasked && (wasClosed.current || offered.current === id || !matchMedia(roomBeside).matches)) return
        if (unasked) offered.current = id
        setArtifact(id)
        setShowsDraft(false)
        setBlock(null)
        setTab('artifact')
      },
      openDraft(unasked = false) {
        if (unasked && (wasClosed.current || !matchMedia(roomBeside).matches)) return
        setShowsDraft(true)
        setBlock(null)
        setTab('artifact')
      },
      openBlock(messageId, at) {
        setBlock({ messageId, at })
        setTab('artifact')
      },
    }),
    [],
  )
  const toggle = () => setTab(tab ? null : 'settings')
  useAction('chat.pane', toggle)
  useAction('chat.documents', ways.showDocuments)
  const close = () => {
    if (tab === 'artifact') wasClosed.current = true
    setTab(null)
    setOpened(null)
    setArtifact(null)
    setShowsDraft(false)
    setBlock(null)
  }
  return { tab, setTab, sourcesOf, opened, artifact, showsDraft, block, close, ways, toggle }
}

/** The pane where it is open. */
export function PaneBeside({ chat, conversation, pane }: { chat: OpenChat; conversation: Conversation; pane: Pane }) {
  const { tab, setTab, sourcesOf, opened, artifact, showsDraft, block, close } = pane
  if (tab === null) return null
  return (
    <Suspense>
      <ChatPane
        chat={chat}
        conversation={conversation}
        tab={tab}
        sourcesOf={sourcesOf}
        opened={opened}
        onTab={setTab}
        artifact={artifact}
        showsDraft={showsDraft}
        block={block}
        onClose={close}
      />
    </Suspense>
  )
}
