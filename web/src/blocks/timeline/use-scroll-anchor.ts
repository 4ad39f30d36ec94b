import { type RefObject, useEffect, useRef, useState } from 'react'
import { type ScrollMode, ScrollAnchor } from './scroll-anchor.ts'

/** Connects the scroll controller with the element that scrolls. */
export function useScrollAnchor(box: RefObject<HTMLElement | null>): {
  anchor: ScrollAnchor
  mode: ScrollMode
  away: boolean
} {
  const [mode, setStance] = useState<ScrollMode>('end')
  const [away, setAway] = useState(false)
  const made = useRef<ScrollAnchor | null>(null)
  made.current ??= new ScrollAnchor(
    {
      top: () => box.current?.scrollTop ?? 0,
      height: () => box.current?.clientHeight ?? 0,
      total: () => box.current?.scrollHeight ?? 0,
      scrollTo: (top, smooth) => box.current?.scrollTo({ top, behavior: smooth ? 'smooth' : 'instant' }),
    },
    setStance,
  )
  const anchor = made.current
  useEffect(() => {
    const element = box.current
    if (!element) return
    // Touches that begin at the very edge belong to the system's gestures.
    const inside = (x: number) => x > 20 && x < innerWidth - 20
    const look = () => setAway(anchor.isAway())
    const listeners = {
      scroll: () => {
        anchor.scrolled()
        look()
      },
      scrollend: () => anchor.rested(),
      wheel: (event: Event) => anchor.wheeled((event as WheelEvent).deltaY),
      touchstart: (event: Event) => {
        const touch = (event as TouchEvent).touches[0]
        if (touch && inside(touch.clientX)) anchor.touchStarted(touch.clientY)
      },
      touchmove: (event: Event) => {
        const touch = (event as TouchEvent).touches[0]
        if (touch) anchor.touchMoved(touch.clientY)
      },
      touchend: () => anchor.touchEnded(),
      touchcancel: () => anchor.touchEnded(),
    }
    for (const [name, listener] of Object.entries(listeners))
      element.addEventListener(name, listener, { passive: true })
    const sizes = new ResizeObserver(() => {
      anchor.grew()
      look()
    })
    sizes.observe(element)
    for (const child of element.children) sizes.observe(child)
    return () => {
      for (const [name, listener] of Object.entries(listeners)) element.removeEventListener(name, listener)
      sizes.disconnect()
    }
  }, [box, anchor])
  return { anchor, mode, away }
}

/** Whether movements shall be jumps. */
export const prefersReducedMotion = (): boolean =>
  document.documentElement.dataset.motion === 'reduced' ||
  matchMedia('(prefers-reduced-motion: reduce)').matches ||
  document.visibilityState === 'hidden'
