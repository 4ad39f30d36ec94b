import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { useUiWords } from './words.tsx'

export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** One sentence below the title; read aloud when it opens. */
  description?: ReactNode
  /** Buttons, the main one last. */
  footer?: ReactNode
  width?: 'narrow' | 'normal' | 'wide'
  /** Keeps the title for screen readers only. */
  hideTitle?: boolean
  /** No way out but the buttons. */
  modalOnly?: boolean
  className?: string
  children?: ReactNode
}

/** A window over the page. Focus is held inside and goes back to where it was. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  footer,
  width = 'normal',
  hideTitle,
  modalOnly,
  className,
  children,
}: DialogProps) {
  const words = useUiWords()
  const stay = modalOnly ? (event: Event) => event.preventDefault() : undefined
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="anim-appear fixed inset-0 z-40 bg-scrim" />
        <Radix.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          onEscapeKeyDown={stay}
          onPointerDownOutside={stay}
          className={cx(
            'anim-rise fixed inset-x-3 top-[max(1rem,10dvh)] z-50 mx-auto flex max-h-[min(84dvh,52rem)] flex-col overflow-hidden rounded-xl border border-line bg-raised shadow-high',
            widths[width],
            className,
          )}
        >
          <header className={cx('flex items-start gap-3 px-5 pt-4.5', hideTitle && 'sr-only')}>
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-lg font-semibold tracking-tight">{title}</Radix.Title>
              {description && (
                <Radix.Description className="mt-1 text-base text-muted">{description}</Radix.Description>
              )}
            </div>
            {!modalOnly && (
              <Radix.Close asChild>
                <IconButton label={words.close} icon={<X />} size="small" tooltipSide="none" className="-me-1.5" />
              </Radix.Close>
            )}
          </header>
          <div
            className={cx(
              'min-h-0 flex-1 overflow-y-auto overscroll-contain',
              !hideTitle && 'px-5 pt-4',
              !hideTitle && (footer ? 'pb-1' : 'pb-5'),
            )}
          >
            {children}
          </div>
          {footer && <footer className="flex flex-wrap justify-end gap-2 px-5 pt-4 pb-4.5">{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

const widths = { narrow: 'max-w-md', normal: 'max-w-xl', wide: 'max-w-3xl' }

/** Asks before something that is hard to undo. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  children,
  confirm,
  cancel,
  danger,
  busy,
  onConfirm,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  children: ReactNode
  /** The word on the button says what will happen: “Delete”, never “OK”. */
  confirm: string
  cancel: string
  danger?: boolean
  busy?: boolean
  onConfirm: () => void
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={children}
      width="narrow"
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{cancel}</Button>
          <Button tone={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    />
  )
}
