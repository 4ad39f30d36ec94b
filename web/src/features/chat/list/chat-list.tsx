import type { ChatSummary } from '@atrium/contract/chat'
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { wordsOf } from '../../../api/errors.ts'
import { useLanguage } from '../../../lib/texts.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useText } from 'virtual:words/chat-list'
import { chatsInside, foldersQuery, listQuery } from './cache.ts'
import { ChatRow } from './chat-row.tsx'
import { FolderRow } from './folder-row.tsx'
import { groupName } from './group-name.ts'
import type { ListPages } from './pages.ts'
import { type ListRow, rowsOf } from './rows.ts'
import { useListView } from './view.ts'

/** The chats of a search, or all of them with the projects; only the rows near the view are in the page. */
export function ChatList({ search, onDone }: { search: string; onDone: () => void }) {
  const t = useText('chat-list')
  useLanguage()
  const { chatId, projectId } = useParams({ strict: false }) as { chatId?: string; projectId?: string }
  const plain = !search
  const pinned = useInfiniteQuery({ ...listQuery({ pinned: 'true' }), enabled: plain })
  const folders = useQuery(foldersQuery)
  const list = useInfiniteQuery(listQuery(search ? { q: search } : { pinned: 'false' }))
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const chats = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data])
  const inside = useChatsInside()
  const rows = useMemo(
    () =>
      plain
        ? rowsOf(
            pinned.data?.pages.flatMap((page) => page.items) ?? [],
            folders.data?.items ?? [],
            chats,
            Date.now(),
            inside,
          )
        : rowsOf([], [], chats, Date.now()),
    [plain, pinned.data, folders.data, chats, inside],
  )
  const projectNames = useMemo(() => new Map(folders.data?.items.map(({ id, name }) => [id, name])), [folders.data])
  const order = useMemo(() => rows.flatMap((row) => (row.kind === 'chat' ? [row.chat.id] : [])), [rows])
  const box = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const focusedAt = rows.findIndex((row) => row.key === focused)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => 34,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 10,
    useFlushSync: false,
  })
  const last = virtual.getVirtualItems().at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= rows.length - 15 && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [last, rows.length, hasNextPage, isFetchingNextPage, fetchNextPage])

  function onKeyDown(event: KeyboardEvent) {
    const key = (event.target as HTMLElement).closest<HTMLElement>('[data-row]')?.dataset.row
    const at = rows.findIndex((row) => row.key === key)
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return
    const to: Record<string, number> = {
      ArrowDown: step(rows, at, 1),
      ArrowUp: step(rows, at, -1),
      Home: step(rows, -1, 1),
      End: step(rows, rows.length, -1),
    }
    const next = rows[to[event.key] ?? -1]
    if (!next) return
    event.preventDefault()
    setFocused(next.key)
    virtual.scrollToIndex(rows.indexOf(next))
    const row = rowElement(next.key)
    // At once where it can be: the next key goes to what has the focus. Else it has to be drawn first.
    if (row) row.focus()
    else requestAnimationFrame(() => rowElement(next.key)?.focus())
  }

  if (list.isError && !list.data) {
    return (
      <ErrorCard className="m-2" title={t('list.failed')} onRetry={() => void list.refetch()}>
        {wordsOf(list.error)}
      </ErrorCard>
    )
  }
  if (list.isPending) return <Skeleton lines={8} className="flex-1 p-4" />
  if (rows.length === 0) {
    return (
      <EmptyState className="flex-1" title={search ? t('list.noHits') : t('list.empty')}>
        {search ? t('list.noHitsHint') : t('list.emptyHint')}
      </EmptyState>
    )
  }
  const tabbable =
    focusedAt >= 0 ? focused : order.includes(chatId ?? '') ? chatId : rows.find((row) => row.kind !== 'heading')?.key
  return (
    <div ref={box} className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 pb-2" onKeyDown={onKeyDown}>
      <ul aria-label={t('list.label')} className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index] as ListRow
          return (
            <li
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {row.kind === 'heading' && (
                <h3 className="px-2 pt-3 pb-1 text-xs font-medium text-muted">{groupName(row.heading)}</h3>
              )}
              {row.kind === 'folder' && (
                <FolderRow
                  folder={row.folder}
                  depth={row.depth}
                  here={row.folder.id === projectId}
                  rowKey={row.key}
                  tabbable={row.key === tabbable}
                  onDone={onDone}
                />
              )}
              {row.kind === 'chat' && (
                <ChatRow
                  chat={row.chat}
                  depth={row.depth}
                  project={row.chat.folderId && !row.depth ? projectNames.get(row.chat.folderId) : undefined}
                  here={row.chat.id === chatId}
                  order={order}
                  tabbable={row.key === tabbable}
                  onDone={onDone}
                />
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** The chats of the projects that are expanded. */
function useChatsInside(): ReadonlyMap<string, readonly ChatSummary[]> {
  const expanded = useListView((view) => view.expanded)
  const ids = useMemo(() => [...expanded], [expanded])
  return useQueries({
    queries: useMemo(() => ids.map(chatsInside), [ids]),
    combine: useCallback(
      (lists: readonly { data: ListPages | undefined }[]) =>
        new Map(ids.map((id, index) => [id, lists[index]?.data?.pages.flatMap(({ items }) => items) ?? []])),
      [ids],
    ),
  })
}

const rowElement = (key: string) => document.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`)

/** The next row that can be chosen; headings cannot. */
function step(rows: readonly ListRow[], from: number, by: 1 | -1): number {
  let at = from + by
  while (rows[at]?.kind === 'heading') at += by
  return at
}
