import { type Passkey, accountsRoutes } from '@atrium/contract/accounts'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/settings-passkeys'

/** Asks first: the device can be added again, but not this passkey. */
export function RemoveDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useText('settings-passkeys')
  const name = passkey.name ?? t('unnamed')
  const remove = useMutation({
    mutationFn: () => call(accountsRoutes.removePasskey, { params: { id: passkey.id } }),
    onSuccess: () => toast(t('removed', { name })),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => {
      for (const route of [accountsRoutes.passkeys, accountsRoutes.mfa]) void refresh(route)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('removeTitle', { name })}
      confirm={t('remove')}
      danger
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      {t('removeText')}
    </ConfirmDialog>
  )
}
