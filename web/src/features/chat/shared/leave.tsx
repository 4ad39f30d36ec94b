import { accessRoutes } from '@atrium/contract/access'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toaster.tsx'
import type { SharedThing } from './data.ts'
import { useText } from 'virtual:words/chat-shared'

/** Asks before a share is given back, or what a group has is left for oneself. */
export function LeaveDialog({
  thing,
  onClose,
  onLeft,
}: {
  thing: SharedThing
  onClose: () => void
  onLeft?: () => void
}) {
  const t = useText('chat-shared')
  const leave = useMutation({
    mutationFn: () =>
      call(accessRoutes.leave, { body: { resourceType: thing.resourceType, resourceId: thing.resourceId } }),
    onSuccess: async () => {
      onLeft?.()
      onClose()
      toast(t('left', { name: thing.name }))
      await refresh(accessRoutes.sharedWithMe)
    },
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('leaveTitle', { name: thing.name })}
      confirm={t('leave')}
      busy={leave.isPending}
      onConfirm={() => leave.mutate()}
    >
      {t('leaveText', { owner: thing.ownerName })}
    </ConfirmDialog>
  )
}
