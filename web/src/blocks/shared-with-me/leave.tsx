import { accessRoutes } from '@atrium/contract/access'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { resourceDisplay } from '../../lib/resources.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toaster.tsx'
import { type SharedResource, refreshShared } from './data.ts'
import { useText } from 'virtual:words/shared-with-me'

/** Asks before a share is given back, or what a group has is left for oneself. */
export function LeaveDialog({
  resource,
  onClose,
  onLeft,
}: {
  resource: SharedResource
  onClose: () => void
  onLeft?: () => void
}) {
  const t = useText('shared-with-me')
  const leave = useMutation({
    mutationFn: () =>
      call(accessRoutes.leave, { body: { resourceType: resource.resourceType, resourceId: resource.resourceId } }),
    onSuccess: async () => {
      onLeft?.()
      onClose()
      toast(t('left', { name: resource.name }))
      await Promise.all([refreshShared(), resourceDisplay(resource.resourceType)?.refresh({ id: resource.resourceId })])
    },
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('leaveTitle', { name: resource.name })}
      confirm={t('leave')}
      busy={leave.isPending}
      onConfirm={() => leave.mutate()}
    >
      {t('leaveText', { owner: resource.ownerName })}
    </ConfirmDialog>
  )
}
