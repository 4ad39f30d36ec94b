import { useQuery } from '@tanstack/react-query'
import { chatRoutes as routes } from '@atrium/contract/chat'
import { lazy, Suspense, useCallback, useEffect, useLayoutEffect, useState } from 'react'
import { useStore } from 'zustand'
import { useMe } from '../../../api/account.ts'
import { codeOf, wordsOf } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { blockingBudget, refreshBudgets, resetDay, useOwnBudgets } from '../../../blocks/budgets.ts'
import { Composer } from '../../../blocks/composer/composer.tsx'
import { draftOf } from '../../../blocks/composer/draft.ts'
import { withQuotes } from '../../../blocks/composer/quotes.ts'
import { useModels, unavailableReason } from '../../../blocks/models.ts'
import { useAction } from '../../../lib/actions.ts'
import { useAfterFirstView } from '../../../lib/first-view.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { knownMediaModels, restoreMaking, takeMaking, useMakeMode } from '../media/make-mode.ts'
import { MakeBar, MakeTools } from '../media/make-tools.tsx'
import { useMakeBlocked } from '../media/use-make-blocked.ts'
import { askQuestion, stopAnswer } from '../open/ask.ts'
import type { Conversation } from '../open/conversation.ts'
import { compactChat } from '../open/edit.ts'
import { enqueueQuestion } from '../open/queue.ts'
import { isCreated, loadChat, type OpenChat, useOpen } from '../open/store.ts'
import { talkWith } from '../open/talk.ts'
import { takeUnsent } from '../open/unsent.ts'
import { useThread } from '../thread/context.ts'
import { useText } from 'virtual:words/chat'
import 'virtual:words/chat-compose'
import { useWholeTokens } from './document-share.ts'
import { useEscapeStops } from './escape-stops.ts'
import { Gauge } from './gauge.tsx'
import { WebSearchToggle } from './web-search-toggle.tsx'
import { useLettersLand } from './letters-land.ts'
import { OverBudget } from './over-budget.tsx'
import { QueueList } from './queue-list.tsx'
import { chatTriggers } from './triggers/index.ts'
import { ToolsToggle } from './tools/tools-toggle.tsx'
import { ThinkingLevel } from './thinking-level.tsx'
import { VisionNotice } from './vision-notice.tsx'
import { restoreWebMode, setWebMode, consumeWebMode } from './web-mode.ts'

const CollectionChips = lazy(() =>
  import('./collection-chips.tsx').then((module) => ({ default: module.CollectionChips })),
)

const QuoteChips = lazy(() => import('./quote-chips.tsx').then((module) => ({ default: module.QuoteChips })))

/** The composer of an open chat, with its queue, its gauge and what went wrong with the last try. */
export function ChatComposer({
  chat,
  conversation,
  onPickModel,
}: {
  chat: OpenChat
  conversation: Conversation
  onPickModel: () => void
}) {
  const t = useText('chat')
  const me = useMe()
  const { attempt, edit, showDocuments } = useThread()
  const draft = draftOf(me.id, chat.id)
  const serverDraft = useOpen(chat, (state) => state.draft)
  const content = useStore(draft.store, (state) => withQuotes(state.content, state.quotes))
  const quotes = useStore(draft.store, (state) => state.quotes)
  const [refusal, setRefusal] = useState<unknown>(null)
  // A layout effect, because it runs again when the page was hidden behind something that had to be loaded first.
  useLayoutEffect(() => {
    if (!chat.takesFocus) return
    const box = document.getElementById('composer')
    // The second click of two has opened the field in which a chat is renamed.
    if (document.activeElement instanceof HTMLInputElement) chat.takesFocus = false
    else box?.focus()
    if (box && document.activeElement === box) chat.takesFocus = false
  }, [chat])
  const models = useModels()
  const { head, live, queue, messages } = conversation
  useEffect(() => draft.seed(serverDraft), [draft, serverDraft])
  useEffect(() => {
    const unsent = takeUnsent(chat.id, messages)
    if (unsent) draft.putBack(unsent)
  }, [chat, draft, messages])

  const collectionIds = head.settings.knowledgeCollectionIds ?? []
  const next = useContextPlan(chat, conversation, content.length)
  const plan = live?.context ?? next
  const missing = unavailableReason(models, head.selection)
  const noModel = models !== undefined && head.selection === null
  const over = blockingBudget(useOwnBudgets()?.items ?? [], head.selection)
  const blocked = noModel
    ? t('chat-compose:composer.noModel')
    : missing
      ? t('chat-compose:composer.modelGone')
      : over && t('chat-compose:composer.overBudget', { name: over.name, when: resetDay(over) })
  const running = live !== null
  // What is left is another when an answer has ended.
  useEffect(() => {
    if (!running) refreshBudgets()
  }, [running])

  const making = useMakeMode(chat.id)
  const makeBlocked = useMakeBlocked(making, draft)

  async function send() {
    const drafted = draft.take()
    setRefusal(null)
    const models = head.expiresAt === null ? knownMediaModels() : undefined
    const taken = { ...drafted, ...takeMaking(chat.id, models, drafted) }
    const { make } = taken
    const input = make ? taken : { ...taken, webSearch: await consumeWebMode(chat.id) }
    const putBack = (error: unknown) => {
      draft.putBack({ ...input, attachments: restoreMaking(chat.id, input) })
      restoreWebMode(chat.id, 'webSearch' in input ? input.webSearch : undefined)
      if (codeOf(error) === 'web_search_unavailable') setWebMode(chat.id, 'off')
      setRefusal(error)
    }
    try {
      if (live) await enqueueQuestion(chat, input)
      else await askQuestion(chat, input)
    } catch (error) {
      if (codeOf(error) !== 'generation_running') return putBack(error)
      // Another page was faster: this one waits its turn.
      await loadChat(chat)
      await enqueueQuestion(chat, input).catch(putBack)
    }
  }
  const lastQuestion = messages.findLast((m) => m.role === 'user')
  const stopNow = useCallback(() => attempt(() => stopAnswer(chat)), [attempt, chat])
  const canCompact = live === null && messages.length > 2
  useAction('chat.compact', () => attempt(() => compactChat(chat)), canCompact)
  useAction('chat.stop', stopNow, live !== null)
  useEscapeStops(live !== null, stopNow)
  useLettersLand()

  return (
    <div className="relative mx-auto w-full max-w-[calc(var(--text-column)+2rem)] px-3 pb-3 before:pointer-events-none before:absolute before:inset-x-0 before:-top-2 before:h-2 before:bg-linear-to-t before:from-surface before:to-transparent tab:px-4">
      <QueueList chat={chat} queue={queue} paused={head.queuePaused} />
      {refusal !== null && (
        <ErrorCard
          className="mb-2"
          title={t('chat-compose:composer.refused')}
          onRetry={() => void send()}
          actions={
            codeOf(refusal) === 'model_unavailable' ? (
              <Button size="small" onClick={onPickModel}>
                {t('failure.switchModel')}
              </Button>
            ) : codeOf(refusal) === 'context_overflow' ? (
              <Button size="small" onClick={() => attempt(() => compactChat(chat))}>
                {t('gauge.compact')}
              </Button>
            ) : undefined
          }
        >
          {wordsOf(refusal)}
        </ErrorCard>
      )}
      {plan && plan.droppedMessages > 0 && content !== '' && !live && (
        <p role="status" className="mb-1.5 px-1 text-sm text-warn-ink">
          {t('chat-compose:composer.willDrop', { count: plan.droppedMessages })}{' '}
          <button
            type="button"
            className="underline underline-offset-2"
            onClick={() => attempt(() => compactChat(chat))}
          >
            {t('gauge.compact')}
          </button>
        </p>
      )}
      <OverBudget budget={missing || noModel ? null : over} />
      <VisionNotice draft={draft} selection={head.selection} />
      <Composer
        draft={draft}
        label={t('chat-compose:composer.label')}
        placeholder={live ? t('chat-compose:composer.placeholderRunning') : t('chat-compose:composer.placeholder')}
        running={live !== null}
        stopping={live?.stopping}
        blocked={making ? makeBlocked : blocked}
        onSend={() => void send()}
        onStop={stopNow}
        onTalk={() => talkWith(chat, () => draft)}
        onOpenDocuments={showDocuments}
        wholeTokens={useWholeTokens(head.selection, plan)}
        triggers={chatTriggers}
        above={
          <>
            <MakeBar chatId={chat.id} draft={draft} />
            {quotes.length > 0 && (
              <Suspense>
                <QuoteChips quotes={quotes} draft={draft} />
              </Suspense>
            )}
            {collectionIds.length > 0 && (
              <Suspense>
                <CollectionChips chat={chat} ids={collectionIds} />
              </Suspense>
            )}
          </>
        }
        onEditLast={lastQuestion && !live ? () => edit(lastQuestion.id) : undefined}
        tools={
          <>
            <ThinkingLevel chat={chat} selection={head.selection} settings={head.settings} />
            <WebSearchToggle chatId={chat.id} />
            {head.expiresAt === null && <ToolsToggle chat={chat} selection={head.selection} settings={head.settings} />}
            {head.expiresAt === null && <MakeTools chatId={chat.id} />}
            <span className="flex-1" />
            <Gauge plan={plan} messages={messages} canCompact={canCompact} onCompact={() => compactChat(chat)} />
          </>
        }
      />
    </div>
  )
}

/** How the next request would fill the window; asked again when the chat or the draft grew noticeably. */
function useContextPlan(chat: OpenChat, conversation: Conversation, draftLength: number) {
  const draftTokens = Math.ceil(draftLength / 4 / 250) * 250
  const afterFirstView = useAfterFirstView()
  const { data } = useQuery({
    ...queryOf(routes.context, { params: { sessionId: chat.id }, query: { draftTokens } }),
    enabled: afterFirstView && conversation.live === null && conversation.messages.length > 0 && isCreated(chat),
    placeholderData: (before) => before,
    staleTime: 30_000,
  })
  return data ?? null
}
