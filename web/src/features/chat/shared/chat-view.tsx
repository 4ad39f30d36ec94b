import type { Message } from '@atrium/contract/chat'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { GitFork, LogOut, MessageSquare, UsersRound } from 'lucide-react'
import { useMemo, useState } from 'react'
import { wordsOf } from '../../../api/errors.ts'
import { modelName, useModels } from '../../../blocks/models.ts'
import { useAction } from '../../../lib/actions.ts'
import { copyText } from '../../../lib/copy.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { useTitle } from '../../../lib/title.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Monogram } from '../../../ui/monogram.tsx'
import { RightPane } from '../../../ui/right-pane.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { duplicateChat } from '../list/changes.ts'
import type { Conversation } from '../open/conversation.ts'
import { forgetChats, type OpenChat } from '../open/store.ts'
import { SourcesTab } from '../pane/sources-tab.tsx'
import { ThreadContext, type Thread as ThreadParts } from '../thread/context.ts'
import { asMarkdown } from '../sources/as-markdown.ts'
import { Thread } from '../thread/thread.tsx'
import { sharedQuery } from '../../../blocks/shared-with-me/data.ts'
import { LeaveDialog } from '../../../blocks/shared-with-me/leave.tsx'
import { useText } from 'virtual:words/chat-shared'
import { useText as useShareWords } from 'virtual:words/shared-with-me'

/** A chat of somebody else: to be read, as it is and as it goes on. */
export function SharedChat({
  chat,
  conversation,
  ownerName,
}: {
  chat: OpenChat
  conversation: Conversation
  ownerName: string
}) {
  const t = useText('chat-shared')
  const navigate = useNavigate()
  const models = useModels()
  const { head, messages } = conversation
  const [sourcesOf, setSourcesOf] = useState<Message | null>(null)
  useTitle(head.title)
  const thread = useMemo<ThreadParts>(
    () => ({
      chat,
      models,
      ownerName,
      editing: null,
      edit: () => undefined,
      showSources: setSourcesOf,
      openSource({ documentId, startChar: from, endChar: to }) {
        const at = from !== undefined && to !== undefined ? { from, to } : undefined
        if (documentId) void navigate({ to: links.document(documentId, at) })
      },
      showDocuments: () => undefined,
      openArtifact: () => undefined,
      openDraft: () => undefined,
      openBlock: () => undefined,
      pickModelFor: () => undefined,
      attempt: (work) => void work().catch((error: unknown) => toast(wordsOf(error), { tone: 'danger' })),
      focusComposer: () => undefined,
    }),
    [chat, models, ownerName, navigate],
  )
  const lastAnswer = messages.findLast(({ role, status }) => role === 'assistant' && status !== 'running')
  useAction(
    'chat.copy-answer',
    () => lastAnswer && thread.attempt(() => copyText(asMarkdown(lastAnswer)).then(() => toast(t('chat:copied')))),
    !!lastAnswer,
  )
  const model = modelName(models, head.selection)
  return (
    <ThreadContext value={thread}>
      <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line px-4">
        <h1 dir="auto" className="min-w-0 flex-1 truncate font-medium">
          {head.title}
        </h1>
        {model && <span className="hidden max-w-48 truncate text-sm text-muted tab:block">{model}</span>}
        <span className="inline-flex max-w-[45%] shrink-0 items-center gap-1.5 text-sm text-muted">
          <UsersRound aria-hidden className="size-4 shrink-0" />
          <bdi className="truncate">{ownerName}</bdi>
        </span>
      </header>
      {messages.length > 0 ? (
        <Thread chat={chat} conversation={conversation} />
      ) : (
        <div className="grid min-h-0 flex-1 place-items-center overflow-y-auto">
          <EmptyState icon={<MessageSquare />} title={t('silent')}>
            {t('silentHint', { name: ownerName })}
          </EmptyState>
        </div>
      )}
      <Bar chat={chat} ownerName={ownerName} />
      {sourcesOf && (
        <RightPane open onClose={() => setSourcesOf(null)} title={t('sources')}>
          <div className="px-4 py-3">
            <SourcesTab message={sourcesOf} />
          </div>
        </RightPane>
      )}
    </ThreadContext>
  )
}

/** Where the box to write in would be: what this is, and the ways on. */
function Bar({ chat, ownerName }: { chat: OpenChat; ownerName: string }) {
  const t = useText('chat-shared')
  const words = useShareWords('shared-with-me')
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const shares = useInfiniteQuery(sharedQuery('chat')).data
  const share = shares?.find(({ resourceId }) => resourceId === chat.id)
  async function copy() {
    setBusy(true)
    const mine = await duplicateChat(chat.id)
    setBusy(false)
    if (!mine) return
    toast(t('bar.copied'))
    await navigate({ to: links.chat(mine.id) })
  }
  return (
    <section
      aria-label={t('bar.label')}
      className="mx-auto w-full max-w-[calc(var(--text-column)+2rem)] px-3 pb-3 tab:px-4"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5 rounded-xl border border-line bg-sunken px-4 py-3">
        {share && <Monogram name={ownerName} picture={share.ownerAvatar} />}
        <p className="min-w-52 flex-1 text-sm text-muted">
          <span className="font-medium text-ink">{t('bar.by', { name: ownerName })}</span> {t('bar.text')}
          {share?.expiresAt && <span> {t('bar.ends', { time: formatDateTime(share.expiresAt) })}</span>}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button tone="primary" busy={busy} icon={<GitFork className="size-4" />} onClick={() => void copy()}>
            {t('bar.copy')}
          </Button>
          {share && (
            <Button icon={<LogOut className="size-4" />} onClick={() => setLeaving(true)}>
              {words('leave')}
            </Button>
          )}
        </div>
      </div>
      {leaving && share && (
        <LeaveDialog
          resource={share}
          onClose={() => setLeaving(false)}
          onLeft={() => {
            void navigate({ to: links.shared() }).then(() => forgetChats(chat.id))
          }}
        />
      )}
    </section>
  )
}
