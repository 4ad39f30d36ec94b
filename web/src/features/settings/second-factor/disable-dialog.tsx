import { accountsRoutes } from '@atrium/contract/accounts'
import { call } from '../../../api/client.ts'
import { refresh } from '../../../api/query.ts'
import { ProofDialog } from '../../../blocks/sign-in/proof-dialog.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/settings-second-factor'

/** Turns one-time codes off, for a last code. */
export function DisableDialog({ onClose }: { onClose: () => void }) {
  const t = useText('settings-second-factor')
  return (
    <ProofDialog
      title={t('offTitle')}
      text={t('offText')}
      confirm={t('offDo')}
      danger
      act={({ code }) => call(accountsRoutes.disableMfa, { body: { code } })}
      onDone={() => {
        void refresh(accountsRoutes.mfa)
        toast(t('offDone'))
        onClose()
      }}
      onClose={onClose}
    />
  )
}
