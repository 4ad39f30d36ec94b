import { type FocusEvent, type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'

/**
 * When a card beside an element is shown: while the pointer rests on it, or the keyboard has reached it; never on touch.
 * `target` are handlers of the element, `card` those of the card, `anchor` is the element while the card is shown.
 */
export function useHoverCard({ restMs, focusMs }: { restMs: number; focusMs: number }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  useEffect(() => () => clearTimeout(timer.current), [])
  const later = (element: HTMLElement | null, ms: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setAnchor(element), ms)
  }
  const hide = () => later(null, 0)
  // The card may be entered with the pointer, so it waits a little before it goes.
  const leave = () => later(null, 150)
  return {
    anchor,
    target: {
      onPointerEnter: (event: PointerEvent<HTMLElement>) =>
        event.pointerType !== 'touch' && later(event.currentTarget, anchor ? 0 : restMs),
      onPointerLeave: leave,
      onPointerDown: hide,
      onFocus: (event: FocusEvent<HTMLElement>) =>
        event.currentTarget.matches(':focus-visible') && later(event.currentTarget, focusMs),
      onBlur: hide,
      onKeyDownCapture: (event: KeyboardEvent) => {
        if (event.key === 'Escape' && anchor) event.stopPropagation()
        else if (event.key !== 'Enter') return
        hide()
      },
    },
    card: { onEnter: () => clearTimeout(timer.current), onLeave: leave },
  }
}
