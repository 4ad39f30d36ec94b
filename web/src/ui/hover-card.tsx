import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'

const gap = 4
/** Between the card and the edge of the window. */
const margin = 8

/** A card beside an element, inside the window. See `useHoverCard` for when. */
export function HoverCard({
  anchor,
  side = 'below',
  onEnter,
  onLeave,
  children,
}: {
  anchor: HTMLElement
  /** `below`, or above where there is more room; `beside`, at the end of the line. */
  side?: 'below' | 'beside'
  onEnter: () => void
  onLeave: () => void
  children: ReactNode
}) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const card = box.current
    if (!card) return
    const at = anchor.getBoundingClientRect()
    const own = card.getBoundingClientRect()
    const within = (place: number, size: number, room: number) =>
      Math.max(margin, Math.min(room - size - margin, place))
    if (side === 'below') {
      const fits = at.bottom + own.height + margin < innerHeight
      card.style.left = `${within(at.left + at.width / 2 - own.width / 2, own.width, innerWidth)}px`
      card.style.top = `${fits ? at.bottom + gap : Math.max(margin, at.top - own.height - gap)}px`
    } else {
      const leftwards = getComputedStyle(anchor).direction === 'rtl'
      card.style.left = `${within(leftwards ? at.left - own.width - margin : at.right + margin, own.width, innerWidth)}px`
      card.style.top = `${within(at.top, own.height, innerHeight)}px`
    }
  })
  return createPortal(
    <div
      ref={box}
      role="tooltip"
      onPointerEnter={onEnter}
      onPointerLeave={onLeave}
      className="anim-appear fixed z-50 flex w-80 max-w-[calc(100vw-1rem)] flex-col gap-1 rounded-lg border border-line bg-raised p-3 text-sm shadow-mid"
    >
      {children}
    </div>,
    document.body,
  )
}
