import { useQuery } from '@tanstack/react-query'
import { FileX, X } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { chatDocumentsQuery } from '../../../blocks/chat-documents/chat-documents-query.ts'
import { readDraft } from '../../../blocks/artifact/draft.ts'
import type { DocumentViewerProps } from '../../../blocks/document-viewer/document-viewer.tsx'
import { withoutDirectionSigns } from '../../../lib/direction.ts'
import { useNarrow } from '../../../lib/media.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { RightPane } from '../../../ui/right-pane.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { type TabOption, Tabs } from '../../../ui/tabs.tsx'
import { useUiWords } from '../../../ui/words.tsx'
import { askQuestion } from '../open/ask.ts'
import { type Conversation, mayHaveBranches } from '../open/conversation.ts'
import { isCreated, type OpenChat } from '../open/store.ts'
import { useThread } from '../thread/context.ts'
import { useText } from 'virtual:words/chat'
import type { OpenBlock } from './block-tab.tsx'
import { ChatSettingsForm } from './chat-settings.tsx'
import { SourcesTab } from './sources-tab.tsx'

const DocumentsTab = lazy(() =>
  import('../knowledge/documents-tab.tsx').then((module) => ({ default: module.DocumentsTab })),
)
const DocumentViewer = lazy(() =>
  import('../../../blocks/document-viewer/document-viewer.tsx').then((module) => ({ default: module.DocumentViewer })),
)

const DraftTab = lazy(() =>
  import('../../../blocks/artifact/draft-tab.tsx').then((module) => ({ default: module.DraftTab })),
)

const PinsTab = lazy(() => import('../branches/pins-tab.tsx').then((module) => ({ default: module.PinsTab })))
const BranchesTab = lazy(() =>
  import('../branches/branches-tab.tsx').then((module) => ({ default: module.BranchesTab })),
)

const BlockTab = lazy(() => import('./block-tab.tsx').then((module) => ({ default: module.BlockTab })))
const KeptFiles = lazy(() =>
  import('../../../blocks/run-code/kept-files.tsx').then((module) => ({ default: module.KeptFiles })),
)

const ArtifactTab = lazy(() =>
  import('../../../blocks/artifact/artifact-tab.tsx').then((module) => ({ default: module.ArtifactTab })),
)

export type PaneTab = 'settings' | 'documents' | 'kept' | 'sources' | 'pins' | 'branches' | 'document' | 'artifact'
/** A document that stands in the pane, at a passage. */
export type OpenDocument = Pick<DocumentViewerProps, 'documentId' | 'target'>

/** What stands beside a chat: its settings, documents, pinned messages and branches, the sources of an answer, and a document or artifact that was opened. */
export function ChatPane({
  chat,
  conversation,
  tab,
  sourcesOf,
  opened,
  artifact,
  showsDraft,
  block,
  onTab,
  onClose,
}: {
  chat: OpenChat
  conversation: Conversation
  tab: PaneTab
  /** The message whose sources are shown; without one, the last that has any. */
  sourcesOf: string | null
  opened: OpenDocument | null
  /** The artifact that is open. */
  artifact: string | null
  /** What is being written now is shown in its place. */
  showsDraft: boolean
  /** The same of a block of an answer. */
  block: OpenBlock | null
  onTab: (tab: PaneTab) => void
  onClose: () => void
}) {
  const t = useText('chat')
  const words = useUiWords()
  const narrow = useNarrow()
  const { attempt } = useThread()
  const documents = useQuery({ ...chatDocumentsQuery(chat.id), enabled: isCreated(chat) }).data?.items.length
  const message = useSources(conversation, sourcesOf)
  const { live } = conversation
  const { pinnedCount } = conversation.head
  /** Over the page, the pane makes room for what was gone to. */
  const leave = () => {
    if (narrow) onClose()
  }
  const draft = showsDraft && live?.draft ? readDraft(live.draft.name, live.draft.arguments) : null
  const tabs: (TabOption | false)[] = [
    {
      value: 'settings',
      label: t('pane.settingsTab'),
      content: <ChatSettingsForm chat={chat} conversation={conversation} />,
    },
    {
      value: 'documents',
      label: documents ? t('pane.documentCount', { count: documents }) : t('pane.documents'),
      content: (
        <Suspense fallback={<Skeleton lines={6} />}>
          <DocumentsTab chat={chat} conversation={conversation} />
        </Suspense>
      ),
    },
    hasRunCode(conversation) && {
      value: 'kept',
      label: t('pane.kept'),
      content: (
        <Suspense fallback={<Skeleton lines={6} />}>
          <KeptFiles chatId={chat.id} />
        </Suspense>
      ),
    },
    conversation.messages.length > 0 && {
      value: 'sources',
      label: message?.sources.length ? t('pane.sources', { count: message.sources.length }) : t('sources.title'),
      content: <SourcesTab message={message} />,
    },
    (pinnedCount > 0 || tab === 'pins') && {
      value: 'pins',
      label: pinnedCount > 0 ? t('pane.pinCount', { count: pinnedCount }) : t('pane.pins'),
      content: (
        <Suspense fallback={<Skeleton lines={6} />}>
          <PinsTab chat={chat} onShown={leave} />
        </Suspense>
      ),
    },
    (tab === 'branches' || mayHaveBranches(conversation)) && {
      value: 'branches',
      label: t('pane.branches'),
      content: (
        <Suspense fallback={<Skeleton lines={6} />}>
          <BranchesTab chat={chat} onShown={leave} />
        </Suspense>
      ),
    },
    tab === 'artifact' && artifact === null && draft === null && block === null
      ? {
          value: 'artifact',
          label: t('pane.artifact'),
          content: <EmptyState icon={<FileX />} title={t('pane.notWritten')} />,
        }
      : (artifact !== null || draft !== null || block !== null) && {
          value: 'artifact',
          label: t('pane.artifact'),
          flush: true,
          content: (
            <Suspense fallback={<Skeleton lines={10} className="p-5" />}>
              {draft && <DraftTab key={live?.draft?.draft} draft={draft} />}
              {!draft && block && (
                <BlockTab
                  key={`${block.messageId} ${block.at}`}
                  chatId={chat.id}
                  conversation={conversation}
                  block={block}
                />
              )}
              {!draft && !block && artifact !== null && (
                <ArtifactTab
                  id={artifact}
                  onFix={
                    live
                      ? undefined
                      : (title, problem) =>
                          attempt(() =>
                            askQuestion(chat, {
                              content: withoutDirectionSigns(t('pane.fixArtifact', { title, id: artifact, problem })),
                              attachments: [],
                            }),
                          )
                  }
                  onClose={onClose}
                />
              )}
            </Suspense>
          ),
        },
    opened !== null && {
      value: 'document',
      label: t('pane.document'),
      flush: true,
      content: (
        <Suspense fallback={<Skeleton lines={10} className="p-5" />}>
          <DocumentViewer key={opened.documentId} {...opened} linked />
        </Suspense>
      ),
    },
  ]
  return (
    <RightPane open onClose={onClose} title={t('pane.title')} bare>
      <Tabs
        label={t('pane.title')}
        value={tab}
        onChange={(value) => onTab(value as PaneTab)}
        className={tab === 'document' || tab === 'artifact' ? 'h-full pt-1' : 'h-full px-4 pt-1 pb-4'}
        end={
          !narrow && <IconButton label={words.close} icon={<X />} size="small" onClick={onClose} tooltipSide="none" />
        }
        tabs={tabs.filter((one) => one !== false)}
      />
    </RightPane>
  )
}

/** Whether a program of an own chat may have kept something. */
const hasRunCode = ({ head, messages, live }: Conversation): boolean =>
  head.ownerName === null &&
  [...messages.flatMap(({ toolCalls }) => toolCalls), ...(live?.toolCalls ?? [])].some(
    ({ name, source }) => name === 'run_code' && source === 'builtin',
  )

/** The chosen message, else the last one that looked anything up; of a running answer, what is known so far. */
function useSources({ messages, live }: Conversation, sourcesOf: string | null) {
  const known = messages.map((message) =>
    live?.messageId === message.id
      ? { ...message, sources: [...live.sources], retrieval: live.retrieval ?? undefined }
      : message,
  )
  const has = (message: (typeof known)[number]) => message.sources.length > 0 || Boolean(message.retrieval)
  return known.find((message) => message.id === sourcesOf && has(message)) ?? known.findLast(has)
}
