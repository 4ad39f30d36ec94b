import { chatRoutes } from '@atrium/contract/chat'
import { searchRoutes } from '@atrium/contract/search'
import { useQuery } from '@tanstack/react-query'
import { CalendarPlus, Hash, ListFilter, MessageCirclePlus, MessageSquare, Settings2, TextSearch } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useIsAdmin } from '../../api/account.ts'
import { queryOf } from '../../api/query.ts'
import { HitIcon, hitLink, HitSnippet, shortSnippet } from '../../blocks/search-hit/search-hit.tsx'
import { suggestOperators } from '../../blocks/search-operators/operators.ts'
import { useOperatorValues } from '../../blocks/search-operators/use-operator-values.ts'
import { canRun, listActions, runAction } from '../../lib/actions.ts'
import { links } from '../../lib/links.ts'
import { loadSettings } from '../../lib/settings.ts'
import { useText } from '../../lib/texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { useGo, useKeysOf } from '../shell/keys.ts'
import { channelsQuery } from '../../features/channels/data/list.ts'
import { nameOfChannel } from '../../features/channels/rules.ts'
import { matchesQuery } from '../../lib/match.ts'
import { Chooser, type Group } from './chooser.tsx'

const mostChannels = 6

/** Goes anywhere, does anything, asks in a new chat. */
export function Palette({ onClose }: { onClose: () => void }) {
  const t = useText('app')
  const go = useGo()
  const [typed, setTyped] = useState('')
  const keysOf = useKeysOf()
  const admin = useIsAdmin()
  // What is listed follows every key at once: Enter may come right after the last one. Only the server may lag.
  const query = typed.trim()
  const asked = useDeferredValue(query)
  const question = /^[?؟]\s*(.*)$/s.exec(typed.trim())?.[1]
  const chats = useQuery({
    ...queryOf(chatRoutes.list, { query: { limit: asked ? 12 : 6, q: asked || undefined } }),
    enabled: question === undefined,
    placeholderData: (before) => before,
  })
  // What an older query found stands in until the answer is here, but only where it fits what is typed now.
  const found = (chats.data?.items ?? []).filter(
    (item) => (asked === query && !chats.isPlaceholderData) || matchesQuery(query, item.title),
  )
  // Here is what stands inside, and chats that operators name: those with such a title are listed already.
  const inside = useQuery({
    ...queryOf(searchRoutes.everything, { query: { q: asked, limit: 8 } }),
    enabled: question === undefined && asked.length > 1,
    placeholderData: (before) => before,
  })
  const hits =
    asked === query && asked.length > 1
      ? (inside.data?.items ?? []).filter(({ kind, id }) => kind !== 'chat' || !found.some((chat) => chat.id === id))
      : []
  const suggestions = suggestOperators(typed, useOperatorValues(typed))
  const channels = useQuery({ ...channelsQuery, enabled: question === undefined && query !== '' }).data ?? []
  const rooms = channels
    .map((channel) => ({ id: channel.id, name: nameOfChannel(channel, '') }))
    .filter(({ name }) => query !== '' && name !== '' && matchesQuery(query, name))
    .slice(0, mostChannels)
  const settings = useQuery({ queryKey: ['settings-sections'], queryFn: loadSettings, staleTime: Infinity })

  function choose(run: () => void) {
    // First the window goes, so that focus is where the action wants it.
    onClose()
    setTimeout(run)
  }
  const actions = listActions().filter(
    (action) =>
      !action.keysOnly &&
      (admin || !action.adminOnly) &&
      canRun(action.id) &&
      matchesQuery(query, t(action.name), action.words && t(action.words)),
  )
  const entries = (settings.data ?? [])
    .filter((section) => admin || !section.adminOnly)
    .flatMap((section) => [
      { section, entry: null, name: t(section.name) },
      ...section.entries
        .filter((entry) => admin || !entry.adminOnly)
        .map((entry) => ({ section, entry, name: t(entry.name) })),
    ])
    .filter((item) => query && matchesQuery(query, item.name, item.entry?.words && t(item.entry.words)))

  const groups: Group[] =
    question !== undefined
      ? [
          {
            heading: null,
            rows: question
              ? [
                  {
                    id: 'ask',
                    icon: <MessageCirclePlus />,
                    name: t('palette.askHint', { question }),
                    run: () => choose(() => go(links.newChat({ q: question }), { ask: question })),
                  },
                ]
              : [],
          },
        ]
      : [
          {
            heading: t('palette.operators'),
            rows: suggestions.map(({ search, operator }) => ({
              id: `operator ${operator}`,
              icon: <ListFilter />,
              name: <bdi dir="ltr">{operator}</bdi>,
              run: () => setTyped(search),
            })),
          },
          {
            heading: query ? t('palette.chats') : t('palette.recent'),
            rows: found.map((item) => ({
              id: `chat ${item.id}`,
              icon: <MessageSquare />,
              name: item.title,
              run: () => choose(() => go(links.chat(item.id))),
            })),
          },
          {
            heading: t('channels-shell:title'),
            rows: rooms.map(({ id, name }) => ({
              id: `channel ${id}`,
              icon: <Hash />,
              name,
              run: () => choose(() => go(links.channel(id))),
            })),
          },
          {
            heading: t('palette.actions'),
            rows: actions.map(({ id, icon: Icon, name }) => ({
              id,
              icon: Icon && <Icon />,
              name: t(name),
              keys: keysOf(id),
              run: () => choose(() => runAction(id, go)),
            })),
          },
          {
            heading: t('palette.settings'),
            rows: entries.map(({ section, entry, name }) => ({
              id: `setting ${section.id} ${entry?.id ?? ''}`,
              icon: entry ? <Settings2 /> : <section.icon />,
              name: entry ? `${t(section.name)} › ${name}` : name,
              run: () => choose(() => go(links.settings(section.id, entry?.id))),
            })),
          },
          {
            heading: t('palette.found'),
            rows: [
              ...hits.slice(0, 5).map((hit) => ({
                id: `found ${hit.kind} ${hit.id} ${hit.startChar ?? ''}`,
                icon: <HitIcon kind={hit.kind} />,
                name: (
                  <>
                    {hit.title}
                    {hit.ownerName !== null && <bdi className="ms-2 text-muted">{hit.ownerName}</bdi>}
                    {hit.snippet !== '' && (
                      <bdi className="ms-2 text-muted">
                        <HitSnippet hit={shortSnippet(hit)} />
                      </bdi>
                    )}
                  </>
                ),
                run: () => choose(() => go(hitLink(hit))),
              })),
              ...(query
                ? [
                    {
                      id: 'search everything',
                      icon: <TextSearch />,
                      name: t('palette.foundAll', { query }),
                      run: () => choose(() => go(links.search(query))),
                    },
                    {
                      id: 'calendar add',
                      icon: <CalendarPlus />,
                      name: t('palette.calendarAdd', { query }),
                      run: () => choose(() => go(links.calendarAdd(query))),
                    },
                  ]
                : []),
            ],
          },
        ]
  const nothing =
    question === undefined
      ? chats.isFetching
        ? t('palette.searching')
        : t('palette.nothing', { query })
      : t('palette.tip')

  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={t('palette.name')} hideTitle>
      <div className="flex max-h-[min(70dvh,30rem)] flex-col">
        <Chooser
          label={t('palette.name')}
          placeholder={t('palette.placeholder')}
          typed={typed}
          onType={setTyped}
          groups={groups}
          nothing={nothing}
        />
        <footer className="flex shrink-0 items-center gap-4 border-t border-line px-3.5 py-2 text-xs text-muted max-tab:hidden">
          <span className="flex items-center gap-1.5">
            <Kbd keys="ArrowUp" />
            <Kbd keys="ArrowDown" />
            {t('palette.move')}
          </span>
          <span className="flex items-center gap-1.5">
            <Kbd keys="Enter" />
            {t('palette.open')}
          </span>
          <span className="flex items-center gap-1.5">
            <Kbd keys="Escape" />
            {t('palette.close')}
          </span>
        </footer>
      </div>
    </Dialog>
  )
}
