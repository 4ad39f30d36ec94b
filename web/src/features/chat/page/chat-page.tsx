import type { Message } from '@atrium/contract/chat'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { CloudOff, FileSearch, MessageSquareOff } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { usePreferences } from '../../../api/account.ts'
import { codeOf, detailsOf, wordsOf } from '../../../api/errors.ts'
import { ModelPicker } from '../../../blocks/model-picker/model-picker.tsx'
import { rememberModel, useModels } from '../../../blocks/models.ts'
import { useAction } from '../../../lib/actions.ts'
import { copyText } from '../../../lib/copy.ts'
import { useFirstViewHeld } from '../../../lib/first-view.ts'
import { links } from '../../../lib/links.ts'
import { useTitle } from '../../../lib/title.ts'
import { useWakeLock } from '../../../lib/wake-lock.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { ChatComposer } from '../compose/chat-composer.tsx'
import { ChatWindows } from '../list/windows.tsx'
import { regenerateAnswer } from '../open/ask.ts'
import { chooseModel } from '../open/choose-model.ts'
import { pinMessage, showMessage } from '../open/edit.ts'
import { loadChat, type OpenChat, useOpen } from '../open/store.ts'
import { PaneBeside, usePane } from '../pane/use-pane.tsx'
import { translate, useText } from 'virtual:words/chat'
import { asMarkdown } from '../sources/as-markdown.ts'
import { ThreadContext, type Thread as ThreadParts } from '../thread/context.ts'
import { TemporaryBanner } from '../temporary/banner.tsx'
import { ChatHeader } from './chat-header.tsx'
import { useOpenChat } from './use-open-chat.ts'

// The box to write in is there before the messages are: what draws them is fetched beside it, not before it.
const threadLoading = import('../thread/thread.tsx')
const Thread = lazy(() => threadLoading.then(({ Thread }) => ({ default: Thread })))
const SharedChat = lazy(() => import('../shared/chat-view.tsx').then((module) => ({ default: module.SharedChat })))
const SharingEnded = lazy(() => import('../shared/ended.tsx').then((module) => ({ default: module.SharingEnded })))

/** `/chats/<id>`: one chat. */
export function ChatPage() {
  const { chatId } = useParams({ strict: false }) as { chatId: string }
  // A new key: nothing of one chat's view may stay for the next.
  return <OpenedChat key={chatId} chatId={chatId} />
}

/** An own chat, one of somebody else, or why there is none. */
function OpenedChat({ chatId }: { chatId: string }) {
  const chat = useOpenChat(chatId)
  const conversation = useOpen(chat, (state) => state.conversation)
  const problem = useOpen(chat, (state) => state.problem)
  if (problem !== null && (codeOf(problem) === 'chat_not_found' || !conversation)) {
    const ownerName = conversation?.head.ownerName
    if (ownerName && codeOf(problem) === 'chat_not_found') {
      return (
        <Suspense>
          <SharingEnded ownerName={ownerName} />
        </Suspense>
      )
    }
    return <NotOpened chat={chat} problem={problem} />
  }
  if (!conversation) return <Loading />
  const { ownerName } = conversation.head
  if (ownerName === null) return <ChatView chat={chat} />
  return (
    <Suspense fallback={<Coming />}>
      <SharedChat chat={chat} conversation={conversation} ownerName={ownerName} />
    </Suspense>
  )
}

function Loading() {
  const t = useText('chat')
  useFirstViewHeld()
  return (
    <div className="mx-auto w-full max-w-text p-6 pt-20" aria-label={t('thread.loading')}>
      <Skeleton lines={7} />
    </div>
  )
}

/** In the place of messages that are known, while what draws them is fetched. */
function Coming() {
  useFirstViewHeld()
  return <div className="flex-1" />
}

function ChatView({ chat }: { chat: OpenChat }) {
  const t = useText('chat')
  const preferences = usePreferences()
  const models = useModels()
  const conversation = useOpen(chat, (state) => state.conversation)
  const [editing, setEditing] = useState<string | null>(null)
  const pane = usePane()
  const { ways } = pane
  /** What the picker is open for: the chat, or one answer that is wanted from another model. */
  const [picking, setPicking] = useState<'chat' | Message | null>(null)
  useMessageLink(chat)
  useTitle(conversation?.head.title, useMark(conversation?.live !== null))
  useWakeLock(!!conversation?.live)

  const thread = useMemo<ThreadParts>(
    () => ({
      chat,
      models,
      ownerName: null,
      editing,
      edit: setEditing,
      ...ways,
      pickModelFor: setPicking,
      attempt: (work) => void work().catch((error: unknown) => toast(wordsOf(error), { tone: 'danger' })),
      focusComposer: () => document.getElementById('composer')?.focus(),
    }),
    [chat, models, editing, ways],
  )
  useAction('chat.model', () => setPicking('chat'))
  useAction('chat.focus-composer', thread.focusComposer)
  const lastAnswer = conversation?.messages.findLast((m) => m.role === 'assistant' && m.status !== 'running')
  useAction(
    'chat.regenerate',
    () => lastAnswer && thread.attempt(() => regenerateAnswer(chat, lastAnswer)),
    !!lastAnswer,
  )
  useAction(
    'chat.copy-answer',
    () => lastAnswer && thread.attempt(() => copyText(asMarkdown(lastAnswer)).then(() => toast(t('copied')))),
    !!lastAnswer,
  )
  useAction(
    'chat.pin-answer',
    () => lastAnswer && thread.attempt(() => pinMessage(chat, lastAnswer.id, !lastAnswer.pinned)),
    !!lastAnswer,
  )
  useAction('chat.pins', () => pane.setTab('pins'))
  useAction('chat.branches', () => pane.setTab('branches'))
  useAction('chat.copy-code', () => lastAnswer && thread.attempt(() => copyCode(lastAnswer.content, t)), !!lastAnswer)
  if (!conversation) return null

  return (
    <ThreadContext value={thread}>
      <ChatHeader
        chat={chat}
        head={conversation.head}
        paneOpen={pane.tab !== null}
        onPane={pane.toggle}
        onTab={pane.setTab}
        onPickModel={() => setPicking('chat')}
      />
      <Suspense fallback={<Coming />}>
        {conversation.messages.length > 0 ? <Thread chat={chat} conversation={conversation} /> : <NothingAsked />}
      </Suspense>
      {conversation.head.expiresAt && <TemporaryBanner id={chat.id} expiresAt={conversation.head.expiresAt} />}
      <ChatComposer chat={chat} conversation={conversation} onPickModel={() => setPicking('chat')} />
      <PaneBeside chat={chat} conversation={conversation} pane={pane} />
      <ModelPicker
        open={picking !== null}
        onOpenChange={() => setPicking(null)}
        value={conversation.head.selection}
        onPick={(selection) => {
          thread.attempt(async () => {
            if (picking === 'chat' || !picking) return chooseModel(chat, preferences, selection)
            await regenerateAnswer(chat, picking, { model: selection })
            await rememberModel(preferences, selection)
          })
        }}
      />
      <ChatWindows />
    </ThreadContext>
  )
}

/** A chat that was made for its documents. */
function NothingAsked() {
  const t = useText('chat')
  return (
    <div className="grid min-h-0 flex-1 place-items-center overflow-y-auto">
      <EmptyState icon={<FileSearch />} title={t('documents.empty')}>
        {t('documents.emptyHint')}
      </EmptyState>
    </div>
  )
}

/**
 * `?message=…` in the address: go there once. It leaves the address then: loaded again, or gone back to, the page would
 * make active a branch that was left since.
 */
function useMessageLink(chat: OpenChat): void {
  const navigate = useNavigate()
  const { message } = useSearch({ strict: false }) as { message?: string }
  useEffect(() => {
    if (!message) return
    let here = true
    showMessage(chat, message).then(
      (found) => {
        if (!found) toast(translate('chat:thread.messageGone'))
        if (here) void navigate({ to: links.chat(chat.id), replace: true })
      },
      (error: unknown) => toast(wordsOf(error), { tone: 'danger' }),
    )
    return () => {
      here = false
    }
    // Once: words that come later must not lead there again, when something else is shown.
  }, [chat, message, navigate])
}

/** The sign before the tab's name: a dot while an answer is written out of sight, a tick until it was looked at. */
function useMark(running: boolean): 'running' | 'done' | null {
  const [hidden, setHidden] = useState(document.visibilityState === 'hidden')
  const [done, setDone] = useState(false)
  const ran = useRef(running)
  useEffect(() => {
    const look = () => {
      setHidden(document.visibilityState === 'hidden')
      if (document.visibilityState === 'visible') setDone(false)
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  useEffect(() => {
    if (ran.current && !running && document.visibilityState === 'hidden') setDone(true)
    ran.current = running
  }, [running])
  return running && hidden ? 'running' : done ? 'done' : null
}

function NotOpened({ chat, problem }: { chat: OpenChat; problem: unknown }) {
  const t = useText('chat')
  const navigate = useNavigate()
  useTitle(t('gone.title'))
  if (codeOf(problem) === 'chat_not_found') {
    return (
      <EmptyState
        className="my-auto"
        icon={<MessageSquareOff />}
        title={t('gone.title')}
        action={
          <>
            <Button onClick={() => void navigate({ to: links.trash() })}>{t('chat-list:trashPage')}</Button>
            <Button tone="primary" onClick={() => void navigate({ to: links.newChat() })}>
              {t('chat-list:newChat')}
            </Button>
          </>
        }
      >
        {t('gone.text')}
      </EmptyState>
    )
  }
  if (codeOf(problem) === 'offline' && !navigator.onLine) {
    return (
      <EmptyState className="my-auto" icon={<CloudOff />} title={t('gone.offline')}>
        {t('gone.offlineText')}
      </EmptyState>
    )
  }
  return (
    <div className="m-auto w-full max-w-md p-4">
      <ErrorCard title={t('gone.failed')} details={detailsOf(problem)} onRetry={() => void loadChat(chat)}>
        {wordsOf(problem)}
      </ErrorCard>
    </div>
  )
}

async function copyCode(text: string, t: ReturnType<typeof useText>): Promise<void> {
  const blocks = [...text.matchAll(/^ {0,3}(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n {0,3}\1/gm)]
  const last = blocks.at(-1)?.[2]
  if (last === undefined) return void toast(t('noCode'))
  await copyText(last)
  toast(t('copied'))
}
