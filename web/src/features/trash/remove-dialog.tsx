import type { TrashEntry } from '@atrium/contract/trash'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { useText } from 'virtual:words/trash'

/** Asks before one entry, or all of them, are deleted for good. */
export function RemoveDialog({
  what,
  busy,
  onConfirm,
  onClose,
}: {
  what: TrashEntry | 'all'
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}) {
  const t = useText('trash')
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={what === 'all' ? t('emptyTitle') : t('forGoodTitle', { title: what.title })}
      confirm={what === 'all' ? t('empty') : t('forGood')}
      danger
      busy={busy}
      onConfirm={onConfirm}
    >
      {t('noWayBack')}
    </ConfirmDialog>
  )
}
