import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { Kbd } from './kbd.tsx'

/** Put once around the app. */
export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <Radix.Provider delayDuration={500} skipDelayDuration={200} disableHoverableContent>
    {children}
  </Radix.Provider>
)

/** A short word about a control; never the only place for something that must be known. */
export function Tooltip({
  text,
  keys,
  side = 'bottom',
  children,
}: {
  text: ReactNode
  keys?: string
  side?: 'top' | 'bottom' | 'left' | 'right'
  children: ReactNode
}) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="anim-appear pointer-events-none z-60 flex max-w-72 items-center gap-2 rounded-md bg-ink px-2 py-1 text-xs text-surface shadow-mid"
        >
          {text}
          {keys && <Kbd keys={keys} onInk />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
