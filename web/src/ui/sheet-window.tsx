import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { classNames } from '../lib/class-names.ts'
import { IconButton } from './icon-button.tsx'
import type { SheetProps } from './sheet.tsx'
import { holdFocus, useFocusBack } from './opener.ts'
import { useUiWords } from './words.tsx'

/** The open panel of a sheet. Loaded when first needed. */
export function SheetWindow({
  open,
  onOpenChange,
  title,
  hideTitle,
  side = 'bottom',
  className,
  children,
}: SheetProps) {
  const words = useUiWords()
  const giveFocusBack = useFocusBack()
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="anim-appear fixed inset-0 z-40 bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={holdFocus}
          onCloseAutoFocus={giveFocusBack}
          className={classNames(
            'fixed z-50 flex flex-col border-line bg-surface shadow-high pb-[env(safe-area-inset-bottom)]',
            sides[side],
            className,
          )}
        >
          <header
            className={classNames(
              'flex items-center gap-2 border-b border-line py-2 ps-4 pe-2',
              hideTitle && 'sr-only',
            )}
          >
            <Radix.Title className="min-w-0 flex-1 truncate text-md font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton data-close label={words.close} icon={<X />} tooltipSide="none" />
            </Radix.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

const sides = {
  start: 'anim-slide-start inset-y-0 start-0 w-[min(20rem,88vw)] border-e',
  end: 'anim-slide-end inset-y-0 end-0 w-[min(26rem,92vw)] border-s',
  bottom: 'anim-slide-up inset-x-0 bottom-0 max-h-[88dvh] rounded-t-xl border-t',
}
