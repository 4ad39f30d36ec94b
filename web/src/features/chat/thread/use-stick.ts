import { type RefObject, useEffect, useRef, useState } from 'react'
import { type Stance, Stick } from './stick.ts'

/** Connects the scroll controller with the element that scrolls. */
export function useStick(box: RefObject<HTMLElement | null>): { stick: Stick; stance: Stance; away: boolean } {
  const [stance, setStance] = useState<Stance>('end')
  const [away, setAway] = useState(false)
  const made = useRef<Stick | null>(null)
  made.current ??= new Stick(
    {
      top: () => box.current?.scrollTop ?? 0,
      height: () => box.current?.clientHeight ?? 0,
      total: () => box.current?.scrollHeight ?? 0,
      scrollTo: (top, smooth) => box.current?.scrollTo({ top, behavior: smooth ? 'smooth' : 'instant' }),
    },
    setStance,
  )
  const stick = made.current
  useEffect(() => {
    const element = box.current
    if (!element) return
    // Touches that begin at the very edge belong to the system's gestures.
    const inside = (x: number) => x > 20 && x < innerWidth - 20
    const look = () => setAway(stick.isAway())
    const listeners = {
      scroll: () => {
        stick.scrolled()
        look()
      },
      scrollend: () => stick.rested(),
      wheel: (event: Event) => stick.wheeled((event as WheelEvent).deltaY),
      touchstart: (event: Event) => {
        const touch = (event as TouchEvent).touches[0]
        if (touch && inside(touch.clientX)) stick.touchStarted(touch.clientY)
      },
      touchmove: (event: Event) => {
        const touch = (event as TouchEvent).touches[0]
        if (touch) stick.touchMoved(touch.clientY)
      },
      touchend: () => stick.touchEnded(),
      touchcancel: () => stick.touchEnded(),
    }
    for (const [name, listener] of Object.entries(listeners))
      element.addEventListener(name, listener, { passive: true })
    const sizes = new ResizeObserver(() => {
      stick.grew()
      look()
    })
    sizes.observe(element)
    for (const child of element.children) sizes.observe(child)
    return () => {
      for (const [name, listener] of Object.entries(listeners)) element.removeEventListener(name, listener)
      sizes.disconnect()
    }
  }, [box, stick])
  return { stick, stance, away }
}

/** Whether movements shall be jumps. */
export const wantsCalm = (): boolean =>
  document.documentElement.dataset.motion === 'reduced' ||
  matchMedia('(prefers-reduced-motion: reduce)').matches ||
  document.visibilityState === 'hidden'
