import { chatRoutes as routes } from '@atrium/contract/chat'
import type { Selection } from '@atrium/contract/common'
import type { ModelList } from '@atrium/contract/connections'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Folder as FolderIcon, X } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useMe, usePreferences } from '../../../api/account.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryClient, queryOf } from '../../../api/query.ts'
import { blockingBudget, resetDay, useOwnBudgets } from '../../../blocks/budgets.ts'
import { Composer } from '../../../blocks/composer/composer.tsx'
import { draftOf } from '../../../blocks/composer/draft.ts'
import { ModelPicker } from '../../../blocks/model-picker/model-picker.tsx'
import {
  hasNoModel,
  modelName,
  modelsQuery,
  rememberModel,
  unavailableReason,
  useModels,
} from '../../../blocks/models.ts'
import { useAction } from '../../../lib/actions.ts'
import { formatAgo } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { useTitle } from '../../../lib/title.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { WebSearchToggle } from '../compose/web-search-toggle.tsx'
import { OverBudget } from '../compose/over-budget.tsx'
import { VisionNotice } from '../compose/vision-notice.tsx'
import { setWebMode, consumeWebMode, useWebMode } from '../compose/web-mode.ts'
import { foldersQuery, listQuery, putChat, summaryOf } from '../list/cache.ts'
import { StateMark } from '../list/state-mark.tsx'
import { beginChat, beginEmptyChat } from '../open/begin.ts'
import type { OpenChat } from '../open/store.ts'
import { useText } from 'virtual:words/chat-compose'
import { ModelButton } from './model-button.tsx'

/** `/`: the chat that does not exist yet. */
export function NewChatPage() {
  const t = useText('chat-compose')
  const me = useMe()
  const preferences = usePreferences()
  const navigate = useNavigate()
  const { q, folder } = useSearch({ strict: false }) as { q?: string; folder?: string }
  const models = useModels()
  const folders = useQuery(foldersQuery).data?.items
  const stored = useQuery({ ...queryOf(routes.newDraft), staleTime: 0 }).data
  const draft = draftOf(me.id, null)
  const [chosen, setChosen] = useState<Selection | null>(null)
  const [picking, setPicking] = useState(false)
  const [refusal, setRefusal] = useState<unknown>(null)
  useTitle(t('chat-list:newChat'))
  useAction('chat.model', () => setPicking(true))
  useAction('chat.focus-composer', () => document.getElementById('composer')?.focus())

  useEffect(() => draft.seed(stored ?? null), [draft, stored])
  useEffect(() => {
    // A link fills the box and never sends by itself. What is typed already is not lost for it.
    if (!q) return
    const now = draft.store.getState().content
    if (!now.includes(q)) draft.type([now, q].filter(Boolean).join('\n'))
    void navigate({ to: links.newChat({ folder }), replace: true })
  }, [q, folder, draft, navigate])

  const sending = useRef(false)

  const fallback = (list: ModelList | undefined) =>
    chosen ?? preferences.defaultModel ?? list?.fallback?.selection ?? null
  const selection = fallback(models)
  const missing = unavailableReason(models, selection)
  const inFolder = folders?.find((other) => other.id === folder)
  const over = blockingBudget(useOwnBudgets()?.items ?? [], selection)
  const blocked =
    models && !selection
      ? t('composer.noModel')
      : missing
        ? t('composer.modelGone')
        : over && t('composer.overBudget', { name: over.name, when: resetDay(over) })

  const webMode = useWebMode('new')
  const keepWeb = (chatId: string) => {
    // What was chosen for the chat goes on in it; the next one begins without.
    if (webMode !== 'off') setWebMode(chatId, webMode)
    setWebMode('new', 'off')
  }

  // A document needs a chat to belong to: it is made at once, and writing goes on in it.
  const dropped = useRef<[files: readonly File[], pasted?: string][]>([])
  const toChat = useRef<() => Promise<void>>(() => Promise.resolve())
  toChat.current = async () => {
    setRefusal(null)
    // As in sending: whoever is faster than the catalogue waits for it.
    const selection = fallback(models ?? (await queryClient.ensureQueryData(modelsQuery).catch(() => undefined)))
    const all = dropped.current.splice(0)
    const { chat, done } = beginEmptyChat({ selection, folderId: inFolder?.id ?? null, title: t('new.untitled') })
    const box = draftOf(me.id, chat.id)
    box.hold(done)
    draft.moveTo(box)
    for (const [files, pasted] of all) box.attach(files, pasted)
    keepWeb(chat.id)
    void navigate({ to: links.chat(chat.id) })
    try {
      await listWhenDone(chat, done)
    } catch (error) {
      draft.putBack(box.take())
      failures.last = error
      void navigate({ to: links.newChat({ folder }) })
    }
  }
  useEffect(() => {
    draft.onDocuments = (files, pasted) => {
      if (dropped.current.push([files, pasted]) === 1) void toChat.current()
    }
    return () => {
      draft.onDocuments = null
    }
  }, [draft])

  async function send() {
    if (sending.current) return
    sending.current = true
    setRefusal(null)
    // Whoever is faster than the catalogue waits for it with the text in the box: without a model nothing can be asked.
    const selection = fallback(models ?? (await queryClient.ensureQueryData(modelsQuery).catch(() => undefined)))
    const webSearch = await consumeWebMode('new')
    const input = { ...draft.take(), webSearch }
    const title = input.content.trim().split('\n')[0]?.slice(0, 60) || t('new.untitled')
    const { chat, done } = beginChat({ ...input, selection, folderId: inFolder?.id ?? null, title })
    if (webMode === 'on') keepWeb(chat.id)
    void navigate({ to: links.chat(chat.id) })
    try {
      await listWhenDone(chat, done)
    } catch (error) {
      draft.putBack(input)
      setRefusal(error)
      failures.last = error
      void navigate({ to: links.newChat({ folder }) })
    } finally {
      sending.current = false
    }
  }
  // The page was left for the chat and came back with the reason.
  useEffect(() => {
    if (failures.last) setRefusal(failures.last)
    failures.last = null
  }, [])

  return (
    <>
      <header className="flex h-12 shrink-0 items-center gap-2 px-2">
        <ModelButton selection={selection} onClick={() => setPicking(true)} />
      </header>
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-3 pb-6 tab:px-6">
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
                onClick={() => void navigate({ to: links.newChat() })}
              />
            </p>
          )}
          <div>
            {refusal !== null && (
              <ErrorCard className="mb-2" title={t('composer.refused')} onRetry={() => void send()}>
                {wordsOf(refusal)}
              </ErrorCard>
            )}
            <OverBudget budget={missing ? null : over} />
            <VisionNotice draft={draft} selection={selection} />
            <Composer
              draft={draft}
              label={t('composer.label')}
              placeholder={t('composer.placeholder')}
              running={false}
              blocked={blocked}
              autoFocus
              tools={<WebSearchToggle chatId="new" />}
              onSend={() => void send()}
              onStop={() => undefined}
            />
          </div>
          {hasNoModel(models) ? (
            <Suspense fallback={null}>
              <NoModel />
            </Suspense>
          ) : (
            <Starters onPick={(text) => fill(text)} />
          )}
          <RecentChats />
        </div>
      </div>
      <ModelPicker
        open={picking}
        onOpenChange={setPicking}
        value={selection}
        onPick={(picked) => {
          setChosen(picked)
          void rememberModel(preferences, picked)
          document.getElementById('composer')?.focus()
        }}
      />
      {selection && <span className="sr-only">{modelName(models, selection)}</span>}
    </>
  )

  function fill(text: string) {
    draft.type(text)
    const area = document.getElementById('composer')
    area?.focus()
  }
}

const NoModel = lazy(() => import('./no-model.tsx').then((module) => ({ default: module.NoModel })))

/** Ways to begin; they fill the box and do not send. */
function Starters({ onPick }: { onPick: (text: string) => void }) {
  const t = useText('chat-compose')
  return (
    <ul aria-label={t('new.starters')} className="grid gap-2 tab:grid-cols-2">
      {(['explain', 'draft', 'review', 'plan'] as const).map((starter) => (
        <li key={starter}>
          <Button
            tone="plain"
            className="h-auto! w-full justify-start! border-line! bg-transparent! px-3.5! py-2.5! text-start font-normal whitespace-normal! hover:bg-hover!"
            onClick={() => onPick(t(`new.starter.${starter}.text`))}
          >
            <span>
              <span className="block font-medium">{t(`new.starter.${starter}.title`)}</span>
              <span className="block text-sm text-muted">{t(`new.starter.${starter}.hint`)}</span>
            </span>
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** The last five chats, running ones with their mark. */
function RecentChats() {
  const t = useText('chat-compose')
  const recent = useInfiniteQuery(listQuery({ pinned: 'false' })).data?.pages[0]?.items.slice(0, 5) ?? []
  if (recent.length === 0) return null
  return (
    <section aria-labelledby="recent-chats">
      <h2 id="recent-chats" className="mb-1 px-2 text-sm font-medium text-muted">
        {t('new.recent')}
      </h2>
      <ul>
        {recent.map((chat) => (
          <li key={chat.id}>
            <Link
              to={links.chat(chat.id)}
              className="flex min-h-row items-center gap-2 rounded-md px-2 text-base hover:bg-hover"
            >
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {chat.title}
              </span>
              <StateMark chat={chat} />
              <span className="shrink-0 text-xs text-muted">{formatAgo(chat.updatedAt)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

const failures: { last: unknown } = { last: null }

function partOfDay(): 'morning' | 'afternoon' | 'evening' | 'night' {
  const hour = new Date().getHours()
  if (hour < 5) return 'night'
  if (hour < 12) return 'morning'
  return hour < 18 ? 'afternoon' : 'evening'
}

/** Waits until a new chat stands, and puts it into the list. Rejects when the server refuses it. */
async function listWhenDone(chat: OpenChat, done: Promise<void>): Promise<void> {
  await done
  const head = chat.store.getState().conversation?.head
  if (head) putChat(summaryOf(head))
}
