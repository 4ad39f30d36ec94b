import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CopyButton } from './copy-button.tsx'
import { useText } from 'virtual:words/blocks'

/** A secret or a link, this once. Leaving it is a deliberate act. */
export function ShownOnce({
  title,
  text,
  secret,
  copy,
  warning,
  onClose,
  children,
}: {
  title: string
  text: string
  /** Nothing while it is still being made; `children` tell of that. */
  secret: string | undefined
  /** What the button for copying is called. */
  copy: string
  warning: string
  onClose: () => void
  children?: ReactNode
}) {
  const t = useText('blocks')
  return (
    <Dialog
      open
      onOpenChange={onClose}
      modalOnly
      title={title}
      description={text}
      footer={
        <Button tone="primary" onClick={onClose}>
          {t('shownOnce.done')}
        </Button>
      }
    >
      {secret && (
        <>
          <div className="flex items-center gap-1 rounded-md border border-line-strong bg-sunken py-1 ps-3 pe-1">
            <code dir="ltr" className="min-w-0 flex-1 text-start font-mono text-sm break-all select-all">
              {secret}
            </code>
            <CopyButton text={secret} label={copy} tooltipSide="top" />
          </div>
          <p className="mt-2 flex items-start gap-1.5 pb-2 text-sm text-warn-ink">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {warning}
          </p>
        </>
      )}
      {children}
    </Dialog>
  )
}
