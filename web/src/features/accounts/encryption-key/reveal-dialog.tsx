import { accountsRoutes } from '@atrium/contract/accounts'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { refresh } from '../../../api/query.ts'
import { ProofDialog } from '../../../blocks/sign-in/proof-dialog.tsx'
import { ShownOnce } from '../../../blocks/shown-once.tsx'
import { useText } from 'virtual:words/accounts-encryption-key'

/** The key, this once, after a proof. */
export function RevealDialog({ onClose }: { onClose: () => void }) {
  const t = useText('accounts-encryption-key')
  const [key, setKey] = useState<string | null>(null)
  function close() {
    void refresh(accountsRoutes.encryptionKey)
    onClose()
  }
  if (key === null) {
    return (
      <ProofDialog
        title={t('showTitle')}
        text={t('showText')}
        confirm={t('showDo')}
        act={(proof) => call(accountsRoutes.revealEncryptionKey, { body: proof })}
        onDone={(shown) => setKey(shown.key)}
        onClose={close}
      />
    )
  }
  return (
    <ShownOnce
      title={t('shownTitle')}
      text={t('shownText')}
      secret={key}
      copy={t('copy')}
      warning={t('warning')}
      onClose={close}
    />
  )
}
