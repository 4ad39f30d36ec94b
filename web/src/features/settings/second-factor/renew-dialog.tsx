import { accountsRoutes } from '@atrium/contract/accounts'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { refresh } from '../../../api/query.ts'
import { ProofDialog } from '../../../blocks/sign-in/proof-dialog.tsx'
import { ShownCodes } from './shown-codes.tsx'
import { useText } from 'virtual:words/settings-second-factor'

/** Replaces the recovery codes: what was stored before is worth nothing any more. */
export function RenewDialog({ onClose }: { onClose: () => void }) {
  const t = useText('settings-second-factor')
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes) return <ShownCodes codes={codes} onClose={onClose} />
  return (
    <ProofDialog
      title={t('renewTitle')}
      text={t('renewText')}
      confirm={t('renewDo')}
      act={({ code = '' }) => call(accountsRoutes.renewRecoveryCodes, { body: { code } })}
      onDone={({ recoveryCodes }) => {
        void refresh(accountsRoutes.mfa)
        setCodes(recoveryCodes)
      }}
      onClose={onClose}
    />
  )
}
