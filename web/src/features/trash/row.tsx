import type { TrashEntry } from '@atrium/contract/trash'
import { formatAgo, formatDateTime, formatDay } from '../../lib/format.ts'
import { resourceDisplay, useResourceWords } from '../../lib/resources.ts'
import { Button } from '../../ui/button.tsx'
import { useText } from 'virtual:words/trash'

/** One entry: what it is, when it was deleted, until when it can be restored. */
export function TrashRow({
  entry: { kind, title, deletedAt, expiresAt },
  busy,
  onRestore,
  onRemove,
}: {
  entry: TrashEntry
  busy: boolean
  onRestore: () => void
  onRemove: () => void
}) {
  const t = useText('trash')
  const words = useResourceWords()
  const Icon = resourceDisplay(kind)?.icon
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2.5">
      {Icon && <Icon aria-hidden className="size-4 shrink-0 text-muted" />}
      <div className="min-w-44 flex-1">
        <p dir="auto" className="truncate font-medium">
          {title}
        </p>
        <p className="text-sm text-muted">
          {words(kind, 'name')} · {t('times', { deleted: formatAgo(deletedAt), expires: formatDay(expiresAt) })}
          <span className="sr-only"> ({formatDateTime(expiresAt)})</span>
        </p>
      </div>
      <div className="flex gap-2">
        <Button size="small" disabled={busy} aria-label={t('restoreNamed', { title })} onClick={onRestore}>
          {t('restore')}
        </Button>
        <Button size="small" tone="quiet" disabled={busy} aria-label={t('forGoodNamed', { title })} onClick={onRemove}>
          {t('forGood')}
        </Button>
      </div>
    </li>
  )
}
