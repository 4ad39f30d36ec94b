import { type TrashEntry, trashRoutes } from '@atrium/contract/trash'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { pagesOf } from '../../api/pages.ts'
import { refresh } from '../../api/query.ts'
import { PagedList } from '../../blocks/paged-list.tsx'
import { resourceDisplay } from '../../lib/resources.ts'
import { useTitle } from '../../lib/title.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { toast } from '../../ui/toaster.tsx'
import { useText } from 'virtual:words/trash'
import { RemoveDialog } from './remove-dialog.tsx'
import { TrashRow } from './row.tsx'

/** `/trash`: what was deleted lately, of every kind, when it is deleted for good, and the ways back. */
export function TrashPage() {
  const t = useText('trash')
  useTitle(t('title'))
  const heading = useRef<HTMLHeadingElement>(null)
  const [asking, setAsking] = useState<TrashEntry | 'all' | null>(null)
  const list = useInfiniteQuery({ ...pagesOf(trashRoutes.list, { query: { limit: 50 } }), staleTime: 0 })
  const entries = list.data ?? []
  const failed = (error: Error) => toast(wordsOf(error), { tone: 'danger' })
  // The button that was pressed goes with its row.
  const settled = async () => {
    await refresh(trashRoutes.list)
    heading.current?.focus()
  }
  const restore = useMutation({
    mutationFn: async (entry: TrashEntry) => {
      await call(trashRoutes.restore, { params: { id: entry.id } })
      await resourceDisplay(entry.kind)?.refresh(entry)
    },
    onSuccess: (_answer, entry) => toast(t('restored', { title: entry.title })),
    onError: failed,
    onSettled: settled,
  })
  const remove = useMutation({
    mutationFn: async (what: TrashEntry | 'all') =>
      what === 'all' ? call(trashRoutes.empty) : call(trashRoutes.remove, { params: { id: what.id } }),
    onSuccess: (_answer, what) => toast(what === 'all' ? t('emptied') : t('removed', { title: what.title })),
    onError: failed,
    onSettled: async () => {
      setAsking(null)
      await settled()
    },
  })
  const busy = restore.isPending || remove.isPending
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <div className="page-column">
        <header className="flex flex-wrap items-center gap-3">
          <div className="min-w-44 flex-1">
            <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold tracking-tight outline-none">
              {t('title')}
            </h1>
            <p className="text-muted">{t('note')}</p>
          </div>
          {entries.length > 0 && (
            <Button icon={<Trash2 className="size-4" />} disabled={busy} onClick={() => setAsking('all')}>
              {t('empty')}
            </Button>
          )}
        </header>
        <PagedList
          pages={list}
          label={t('list')}
          failed={t('failed')}
          empty={
            <EmptyState icon={<Trash2 />} title={t('nothing')}>
              {t('nothingText')}
            </EmptyState>
          }
        >
          {entries.map((entry) => (
            <TrashRow
              key={entry.id}
              entry={entry}
              busy={busy}
              onRestore={() => restore.mutate(entry)}
              onRemove={() => setAsking(entry)}
            />
          ))}
        </PagedList>
      </div>
      {asking && (
        <RemoveDialog
          what={asking}
          busy={remove.isPending}
          onConfirm={() => remove.mutate(asking)}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  )
}
