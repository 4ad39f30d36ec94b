import { TriangleAlert } from 'lucide-react'
import { CopyButton } from '../../../blocks/copy-button.tsx'
import { moment } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useText } from './texts.ts'

/** A link, this once. Where the server does not know its own address, it begins with the one in use here. */
export function ShownLink({
  title,
  warning,
  link,
  expiresAt,
  onClose,
}: {
  title: string
  warning: string
  link: string
  expiresAt: string
  onClose: () => void
}) {
  const t = useText('invitations')
  const whole = link.startsWith('/') ? `${location.origin}${link}` : link
  return (
    <Dialog
      open
      onOpenChange={onClose}
      modalOnly
      title={title}
      description={t('shown.text', { when: moment(expiresAt) })}
      footer={
        <Button tone="primary" onClick={onClose}>
          {t('shown.done')}
        </Button>
      }
    >
      <div className="flex items-center gap-1 rounded-md border border-line-strong bg-sunken py-1 ps-3 pe-1">
        <code dir="ltr" className="min-w-0 flex-1 text-start font-mono text-sm break-all select-all">
          {whole}
        </code>
        <CopyButton text={whole} label={t('shown.copy')} />
      </div>
      <p className="mt-2 flex items-start gap-1.5 text-sm text-warn-ink">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        {warning}
      </p>
    </Dialog>
  )
}
