import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { classNames } from '../lib/class-names.ts'
import type { DialogProps } from './dialog.tsx'
import { IconButton } from './icon-button.tsx'
import { holdFocus, useFocusBack } from './opener.ts'
import { useUiWords } from './words.tsx'

/** The open window of a dialog. Loaded when first needed. */
export function DialogWindow({
  open,
  onOpenChange,
  title,
  description,
  footer,
  width = 'normal',
  hideTitle,
  isLongText,
  modalOnly,
  className,
  children,
}: DialogProps) {
  const words = useUiWords()
  const giveFocusBack = useFocusBack()
  const stay = modalOnly ? (event: Event) => event.preventDefault() : undefined
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="anim-appear fixed inset-0 z-50 bg-scrim" />
        <Radix.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          onOpenAutoFocus={holdFocus}
          onCloseAutoFocus={giveFocusBack}
          onEscapeKeyDown={stay}
          onPointerDownOutside={stay}
          className={classNames(
            'anim-rise fixed inset-x-3 top-[max(1rem,10dvh)] z-50 mx-auto flex max-h-[min(84dvh,52rem)] flex-col overflow-hidden rounded-xl border border-line bg-raised shadow-high',
            widths[width],
            className,
          )}
        >
          <header className={hideTitle ? 'sr-only' : classNames('px-5 pt-4.5 pb-3', !modalOnly && 'pe-13')}>
            <Radix.Title className="text-lg font-semibold tracking-tight">{title}</Radix.Title>
            {description && <Radix.Description className="mt-1 text-base text-muted">{description}</Radix.Description>}
          </header>
          <div
            {...(isLongText ? { tabIndex: 0, role: 'group', 'aria-label': title } : {})}
            className={classNames(
              'min-h-0 flex-1 overflow-y-auto overscroll-contain',
              !hideTitle && 'px-5 pt-1',
              !hideTitle && (footer ? 'pb-1' : 'pb-5'),
            )}
          >
            {children}
          </div>
          {footer && <footer className="flex flex-wrap justify-end gap-2 px-5 pt-4 pb-4.5">{footer}</footer>}
          {!modalOnly && (
            // Last in the order of Tab, so that what the window is for gets the focus first.
            <Radix.Close asChild>
              <IconButton
                data-close
                label={words.close}
                icon={<X />}
                size="small"
                tooltipSide="none"
                className={
                  hideTitle
                    ? 'sr-only! focus-visible:not-sr-only! focus-visible:absolute! focus-visible:end-3 focus-visible:top-3'
                    : 'absolute! end-3.5 top-3.5'
                }
              />
            </Radix.Close>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

const widths = { narrow: 'max-w-md', normal: 'max-w-xl', wide: 'max-w-3xl', full: 'max-w-none' }
