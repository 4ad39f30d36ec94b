import { authentication } from '@atrium/contract/authentication'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { refresh } from '../../../api/query.ts'
import { CopyButton } from '../../../blocks/copy-button.tsx'
import { ProofDialog } from '../../../blocks/door/proof-dialog.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useText } from './texts.ts'

/** The key, this once, after a proof. Leaving it is a deliberate act. */
export function RevealDialog({ onClose }: { onClose: () => void }) {
  const t = useText('encryption-key')
  const [key, setKey] = useState<string | null>(null)
  function close() {
    void refresh(authentication.encryptionKey)
    onClose()
  }
  if (key === null) {
    return (
      <ProofDialog
        title={t('showTitle')}
        text={t('showText')}
        confirm={t('showDo')}
        act={(proof) => call(authentication.revealEncryptionKey, { body: proof })}
        onDone={(shown) => setKey(shown.key)}
        onClose={close}
      />
    )
  }
  return (
    <Dialog
      open
      onOpenChange={close}
      modalOnly
      title={t('shownTitle')}
      description={t('shownText')}
      footer={
        <Button tone="primary" onClick={close}>
          {t('done')}
        </Button>
      }
    >
      <div className="flex items-center gap-1 rounded-md border border-line-strong bg-sunken py-1 ps-3 pe-1">
        <code dir="ltr" className="min-w-0 flex-1 text-start font-mono text-sm break-all select-all">
          {key}
        </code>
        <CopyButton text={key} label={t('copy')} />
      </div>
      <p className="mt-2 flex items-start gap-1.5 pb-2 text-sm text-warn-ink">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        {t('warning')}
      </p>
    </Dialog>
  )
}
