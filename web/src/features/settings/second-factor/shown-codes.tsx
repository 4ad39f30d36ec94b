import { useState } from 'react'
import { RecoveryCodeList } from '../../../blocks/sign-in/recovery-codes.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useText } from 'virtual:words/settings-second-factor'

/** New recovery codes, this once. Leaving them is a deliberate act. */
export function ShownCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useText('settings-second-factor')
  const [stored, setStored] = useState(false)
  return (
    <Dialog
      open
      onOpenChange={() => {}}
      modalOnly
      width="narrow"
      title={t('shownTitle')}
      description={t('shownText')}
      footer={
        <Button tone="primary" disabled={!stored} onClick={onClose}>
          {t('done')}
        </Button>
      }
    >
      <RecoveryCodeList codes={codes} stored={stored} onStored={setStored} />
    </Dialog>
  )
}
