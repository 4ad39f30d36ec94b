import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Folder as FolderIcon, PanelRight, X } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { useMe, usePreferences } from '../../../api/account.ts'
import { wordsOf } from '../../../api/errors.ts'
import { hasSharedFiles } from '../../../api/shared-files.ts'
import { blockingBudget, resetDay, useOwnBudgets } from '../../../blocks/budgets.ts'
import { Composer } from '../../../blocks/composer/composer.tsx'
import { ModelPicker } from '../../../blocks/model-picker/model-picker.tsx'
import { hasNoModel, modelName, unavailableReason } from '../../../blocks/models.ts'
import { useAction } from '../../../lib/actions.ts'
import { links } from '../../../lib/links.ts'
import { usePhone } from '../../../lib/media.ts'
import { useTitle } from '../../../lib/title.ts'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { GroundPlan } from '../../../ui/ground-plan.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useWholeTokens } from '../compose/document-share.ts'
import { OverBudget } from '../compose/over-budget.tsx'
import { ThinkingLevel } from '../compose/thinking-level.tsx'
import { ToolsToggle } from '../compose/tools/tools-toggle.tsx'
import { VisionNotice } from '../compose/vision-notice.tsx'
import { chatTriggers } from '../compose/triggers/index.ts'
import { useMakeMode } from '../media/make-mode.ts'
import { MakeBar, MakeTools } from '../media/make-tools.tsx'
import { useMakeBlocked } from '../media/use-make-blocked.ts'
import { WebSearchToggle } from '../compose/web-search-toggle.tsx'
import { foldersQuery } from '../list/cache.ts'
import { chooseModel } from '../open/choose-model.ts'
import { PaneBeside, usePane } from '../pane/use-pane.tsx'
import { ThreadContext, type Thread } from '../thread/context.ts'
import { useText } from 'virtual:words/chat-compose'
import { TemporaryNotice, TemporarySwitch } from '../temporary/notice.tsx'
import { ModelButton } from './model-button.tsx'
import { useNewChat } from './use-new-chat.ts'
import { Starters } from './starters.tsx'

// What they open later is no part of what the first page is made of.
const ChatWindows = lazy(() => import('../list/windows.tsx').then((module) => ({ default: module.ChatWindows })))
const RecentChats = lazy(() => import('./recent-chats.tsx').then((module) => ({ default: module.RecentChats })))
const NoModel = lazy(() => import('./no-model.tsx').then((module) => ({ default: module.NoModel })))
const CollectionChips = lazy(() =>
  import('../compose/collection-chips.tsx').then((module) => ({ default: module.CollectionChips })),
)
const QuoteChips = lazy(() => import('../compose/quote-chips.tsx').then((module) => ({ default: module.QuoteChips })))
const SharedFilesCard = lazy(() =>
  import('../share-target/card.tsx').then((module) => ({ default: module.SharedFilesCard })),
)

/** `/`: the chat that does not exist yet. */
export function NewChatPage() {
  const t = useText('chat-compose')
  const me = useMe()
  const preferences = usePreferences()
  // Where the list is in sight, its first chats need no second place.
  const listInSight = !usePhone() && preferences.layout.sidebarOpen
  const navigate = useNavigate()
  const {
    q,
    folder,
    document,
    name,
    temporary = false,
  } = useSearch({ strict: false }) as {
    q?: string
    folder?: string
    document?: string
    name?: string
    temporary?: boolean
  }
  const folders = useQuery(foldersQuery).data?.items
  const inFolder = folders?.find((other) => other.id === folder)
  const { chat, conversation, draft, isDraftKnown, models, selection, refusal, send, talk } = useNewChat(
    inFolder?.id ?? null,
    temporary,
  )
  const quotes = useStore(draft.store, (state) => state.quotes)
  const [picking, setPicking] = useState(false)
  const [isShared, setShared] = useState(false)
  const pane = usePane()
  const { ways } = pane
  useTitle(t('chat-list:newChat'))
  useAction('chat.model', () => setPicking(true))
  useAction('chat.focus-composer', focusComposer)

  useEffect(() => {
    // A link fills the box and never sends by itself. What is typed already is not lost for it.
    if (!q || !isDraftKnown) return
    const now = draft.store.getState().content
    if (!now.includes(q)) draft.type([now, q].filter(Boolean).join('\n'))
    void navigate({ to: links.newChat({ folder, temporary }), replace: true })
  }, [q, isDraftKnown, folder, temporary, draft, navigate])

  useEffect(() => {
    // What other apps shared waits here also after a sign-in, and after the app was closed too early.
    void hasSharedFiles()
      .then(setShared)
      .catch((error: unknown) => toast(wordsOf(error), { tone: 'danger' }))
  }, [])

  useEffect(() => {
    if (!document || !isDraftKnown) return
    void import('../compose/attach.ts').then(({ attachDocument }) => {
      attachDocument(draft, { id: document, filename: name ?? document })
      focusComposer()
    })
    void navigate({ to: links.newChat({ folder, temporary }), replace: true })
  }, [document, name, isDraftKnown, folder, temporary, draft, navigate])

  // There are no messages yet: of what the rows of a chat share, only what its settings and documents need.
  const thread = useMemo<Thread>(
    () => ({
      chat,
      models,
      ownerName: null,
      editing: null,
      edit: () => undefined,
      ...ways,
      pickModelFor: () => setPicking(true),
      attempt: (work) => void work().catch((error: unknown) => toast(wordsOf(error), { tone: 'danger' })),
      focusComposer,
    }),
    [chat, models, ways],
  )

  const mode = useMakeMode('new')
  const making = temporary ? null : mode
  const makeBlocked = useMakeBlocked(making, draft)
  const collectionIds = conversation?.head.settings.knowledgeCollectionIds ?? []
  const missing = unavailableReason(models, selection)
  const over = blockingBudget(useOwnBudgets()?.items ?? [], selection)
  const blocked =
    models && !selection
      ? t('composer.noModel')
      : missing
        ? t('composer.modelGone')
        : over && t('composer.overBudget', { name: over.name, when: resetDay(over) })

  return (
    <ThreadContext value={thread}>
      <header className="flex h-12 shrink-0 items-center gap-2 px-2">
        <ModelButton selection={selection} onClick={() => setPicking(true)} />
        <span className="flex-1" />
        <TemporarySwitch
          on={temporary}
          onChange={(on) => void navigate({ to: links.newChat({ folder, temporary: on }), replace: true })}
        />
        <IconButton
          label={t(pane.tab ? 'pane.close' : 'pane.open')}
          keys="Mod+Alt+B"
          icon={<PanelRight />}
          pressed={pane.tab !== null}
          onClick={pane.toggle}
        />
      </header>
      <div className="relative flex min-h-0 flex-1 flex-col">
        <GroundPlan />
        <div className="relative flex min-h-0 flex-1 flex-col overflow-y-auto px-3 pb-6 tab:px-6">
          <div className="mx-auto my-auto flex w-full max-w-text flex-col gap-5 py-6">
            <div className="flex items-center gap-3">
              <Mark size={30} className="shrink-0 text-ink" />
              <h1 className="text-2xl font-semibold tracking-tight text-balance" dir="auto">
                {t(`new.greeting.${partOfDay()}`, { name: me.displayName || me.username })}
              </h1>
            </div>
            {inFolder && (
              <p className="flex w-fit max-w-full items-center gap-1.5 rounded-full border border-line bg-sunken ps-3 pe-1 text-sm text-muted">
                <FolderIcon aria-hidden className="size-3.5 shrink-0" />
                <span className="truncate">
                  <bdi>{t('new.inFolder', { name: inFolder.name })}</bdi>
                </span>
                <IconButton
                  label={t('new.noFolder')}
                  icon={<X />}
                  size="small"
                  className="rounded-full"
                  onClick={() => void navigate({ to: links.newChat({ temporary }) })}
                />
              </p>
            )}
            <div>
              {refusal !== null && (
                <ErrorCard className="mb-2" title={t('composer.refused')} onRetry={() => void send()}>
                  {wordsOf(refusal)}
                </ErrorCard>
              )}
              {temporary && <TemporaryNotice />}
              <OverBudget budget={missing ? null : over} />
              <VisionNotice draft={draft} selection={selection} />
              {isShared && (
                <Suspense>
                  <SharedFilesCard draft={draft} onAnswer={focusComposer} />
                </Suspense>
              )}
              <Composer
                draft={draft}
                label={t('composer.label')}
                placeholder={t('composer.placeholder')}
                running={false}
                blocked={making ? makeBlocked : blocked}
                autoFocus
                wholeTokens={useWholeTokens(selection, null)}
                triggers={chatTriggers}
                above={
                  <>
                    {!temporary && <MakeBar chatId="new" draft={draft} />}
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
                onOpenDocuments={thread.showDocuments}
                tools={
                  <>
                    <ThinkingLevel chat={chat} selection={selection} settings={conversation?.head.settings ?? {}} />
                    <WebSearchToggle chatId="new" />
                    {!temporary && (
                      <ToolsToggle chat={chat} selection={selection} settings={conversation?.head.settings ?? {}} />
                    )}
                    {!temporary && <MakeTools chatId="new" />}
                  </>
                }
                onSend={() => void send()}
                onTalk={talk}
                onStop={() => undefined}
              />
            </div>
            {hasNoModel(models) ? (
              <Suspense fallback={null}>
                <NoModel />
              </Suspense>
            ) : (
              <Starters
                onPick={(text) => {
                  draft.type(text)
                  focusComposer()
                }}
              />
            )}
            {!listInSight && (
              <Suspense>
                <RecentChats />
              </Suspense>
            )}
          </div>
        </div>
      </div>
      {conversation && <PaneBeside chat={chat} conversation={conversation} pane={pane} />}
      <ModelPicker
        open={picking}
        onOpenChange={setPicking}
        value={selection}
        onPick={(picked) => {
          thread.attempt(() => chooseModel(chat, preferences, picked))
          focusComposer()
        }}
      />
      {selection && <span className="sr-only">{modelName(models, selection)}</span>}
      <Suspense>
        <ChatWindows />
      </Suspense>
    </ThreadContext>
  )
}

function focusComposer(): void {
  document.getElementById('composer')?.focus()
}

function partOfDay(): 'morning' | 'afternoon' | 'evening' | 'night' {
  const hour = new Date().getHours()
  if (hour < 5) return 'night'
  if (hour < 12) return 'morning'
  return hour < 18 ? 'afternoon' : 'evening'
}
