import { chatRoutes as routes, type TrashItem } from '@atrium/contract/chat'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Folder, MessageSquare, MessagesSquare, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { pagesOf } from '../../../api/pages.ts'
import { refresh } from '../../../api/query.ts'
import { MoreButton } from '../../../blocks/more-button.tsx'
import { formatAgo, formatDay, formatDateTime } from '../../../lib/format.ts'
import { useTitle } from '../../../lib/title.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { refreshLists } from '../list/cache.ts'
import { knownChat, loadChat } from '../open/store.ts'
import { useText } from 'virtual:words/chat'

const icons = { chat: MessagesSquare, folder: Folder, message: MessageSquare } as const

/** `/trash`: what was deleted lately, when it goes for good, and the ways back. */
export function TrashPage() {
  const t = useText('chat')
  useTitle(t('chat-list:trashPage'))
  const [asking, setAsking] = useState<TrashItem | 'all' | null>(null)
  const [busy, setBusy] = useState(false)
  const list = useInfiniteQuery({ ...pagesOf(routes.trash, { query: { limit: 50 } }), staleTime: 0 })
  const items = list.data ?? []

  async function attempt(work: () => Promise<unknown>) {
    setBusy(true)
    try {
      await work()
      await refresh(routes.trash)
      refreshLists()
    } catch (error) {
      toast(wordsOf(error), { tone: 'danger' })
    } finally {
      setBusy(false)
      setAsking(null)
    }
  }
  const restore = (item: TrashItem) =>
    attempt(async () => {
      await call(routes.restoreTrash, { params: { itemId: item.id } })
      const open = knownChat(item.chatId ?? item.id)
      if (open) await loadChat(open)
      toast(t('trash.restored', { title: item.title }))
    })
  const removeForGood = () =>
    attempt(() =>
      asking === 'all' || asking === null
        ? call(routes.emptyTrash)
        : call(routes.removeTrash, { params: { itemId: asking.id } }),
    )

  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <div className="mx-auto flex w-full max-w-text flex-col gap-4 px-4 py-6">
        <header className="flex flex-wrap items-center gap-3">
          <div className="min-w-0 flex-1">
            <h1 className="text-xl font-semibold tracking-tight">{t('chat-list:trashPage')}</h1>
            <p className="text-muted">{t('trash.note')}</p>
          </div>
          {items.length > 0 && (
            <Button icon={<Trash2 className="size-4" />} onClick={() => setAsking('all')}>
              {t('trash.empty')}
            </Button>
          )}
        </header>
        {list.isPending && <Skeleton lines={5} />}
        {list.isError && (
          <ErrorCard title={t('trash.failed')} onRetry={() => void list.refetch()}>
            {wordsOf(list.error)}
          </ErrorCard>
        )}
        {list.isSuccess && items.length === 0 && <EmptyState icon={<Trash2 />} title={t('trash.nothing')} />}
        {items.length > 0 && (
          <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-raised">
            {items.map((item) => {
              const Icon = icons[item.kind]
              return (
                <li key={item.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2.5">
                  <Icon aria-label={t(`trash.kind.${item.kind}`)} role="img" className="size-4 shrink-0 text-muted" />
                  <div className="min-w-44 flex-1">
                    <p dir="auto" className="truncate font-medium">
                      {item.title}
                    </p>
                    <p className="text-sm text-muted">
                      {t('trash.times', { deleted: formatAgo(item.deletedAt), expires: formatDay(item.expiresAt) })}
                      <span className="sr-only"> ({formatDateTime(item.expiresAt)})</span>
                    </p>
                  </div>
                  <Button size="small" disabled={busy} onClick={() => void restore(item)}>
                    {t('trash.restore')}
                  </Button>
                  <Button size="small" tone="quiet" disabled={busy} onClick={() => setAsking(item)}>
                    {t('trash.forGood')}
                  </Button>
                </li>
              )
            })}
          </ul>
        )}
        <MoreButton pages={list} className="self-center" />
      </div>
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={() => setAsking(null)}
        title={asking === 'all' ? t('trash.emptyTitle') : t('trash.forGoodTitle', { title: asking?.title })}
        confirm={asking === 'all' ? t('trash.empty') : t('trash.forGood')}
        danger
        busy={busy}
        onConfirm={() => void removeForGood()}
      >
        {t('trash.noWayBack')}
      </ConfirmDialog>
    </div>
  )
}
