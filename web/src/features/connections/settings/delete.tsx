import { connectionsRoutes, type Plugin } from '@atrium/contract/connections'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { refreshAll } from './state.ts'
import { useText } from 'virtual:words/connections'

/** Says what goes with a definition, for everybody, and deletes it. */
export function DeleteDialog({
  connection: { id, name, source },
  open,
  onOpenChange,
  onDeleted,
}: {
  connection: Pick<Plugin, 'id' | 'name' | 'source'>
  open: boolean
  onOpenChange: (open: boolean) => void
  onDeleted?: () => void
}) {
  const t = useText('connections')
  const remove = useMutation({
    mutationFn: () => call(connectionsRoutes.remove, { params: { id } }),
    onSuccess: () => {
      onOpenChange(false)
      onDeleted?.()
      void refreshAll()
    },
    onError: (error) => {
      onOpenChange(false)
      toast(wordsOf(error), { tone: 'danger' })
    },
  })
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('delete.title', { name })}
      confirm={t('delete.confirm')}
      danger
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      {t('delete.text')} {source === 'replacing' && t('delete.bundledReturns')}
    </ConfirmDialog>
  )
}
