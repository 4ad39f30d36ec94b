import { cloneElement, type ReactElement, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Kbd } from './kbd.tsx'

type Side = 'top' | 'bottom' | 'left' | 'right'

/**
 * A short word about a control; never the only place for something that must be known. Shown on hover after a while
 * and on keyboard focus at once, gone with Escape. `children` is one element that takes a ref and DOM properties.
 */
export function Tooltip({
  text,
  keys,
  side = 'bottom',
  children,
}: {
  text: ReactNode
  keys?: string
  side?: Side
  children: ReactElement
}) {
  const id = useId()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [target, setTarget] = useState<Element | null>(null)
  useEffect(() => () => clearTimeout(timer.current), [])

  function show(element: Element, ms: number) {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setTarget(element), Date.now() - lastHidden < 300 ? 0 : ms)
  }
  function hide() {
    clearTimeout(timer.current)
    if (target) lastHidden = Date.now()
    setTarget(null)
  }
  const given = children.props as Handlers
  const child = cloneElement(children as ReactElement<Handlers>, {
    'aria-describedby': target && !namedBy(target, text) ? id : given['aria-describedby'],
    onPointerEnter: both(given.onPointerEnter, (event) => {
      if (event.pointerType !== 'touch') show(event.currentTarget, 500)
    }),
    onPointerLeave: both(given.onPointerLeave, hide),
    onPointerDown: both(given.onPointerDown, hide),
    onFocus: both(given.onFocus, (event) => {
      if (event.currentTarget.matches(':focus-visible')) show(event.currentTarget, 0)
    }),
    onBlur: both(given.onBlur, hide),
    onKeyDown: both(given.onKeyDown, hide),
  })
  return (
    <>
      {child}
      {target &&
        createPortal(
          <Bubble id={id} target={target} side={side}>
            {text}
            {keys && <Kbd keys={keys} onInk />}
          </Bubble>,
          document.body,
        )}
    </>
  )
}

let lastHidden = 0

interface Handlers {
  'aria-describedby'?: string
  onPointerEnter?: (event: React.PointerEvent) => void
  onPointerLeave?: (event: React.PointerEvent) => void
  onPointerDown?: (event: React.PointerEvent) => void
  onFocus?: (event: React.FocusEvent) => void
  onBlur?: (event: React.FocusEvent) => void
  onKeyDown?: (event: React.KeyboardEvent) => void
}

function both<E>(first: ((event: E) => void) | undefined, second: (event: E) => void) {
  return (event: E) => {
    first?.(event)
    second(event)
  }
}

/** The words are the control's name already; reading them twice helps nobody. */
const namedBy = (target: Element, text: ReactNode) => target.getAttribute('aria-label') === text

function Bubble({ id, target, side, children }: { id: string; target: Element; side: Side; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const bubble = place.current
    if (!bubble) return
    const at = target.getBoundingClientRect()
    const own = bubble.getBoundingClientRect()
    const gap = 6
    const fits = {
      top: at.top - own.height - gap > 4,
      bottom: at.bottom + own.height + gap < innerHeight - 4,
      left: at.left - own.width - gap > 4,
      right: at.right + own.width + gap < innerWidth - 4,
    }
    const used = fits[side] ? side : opposite[side]
    const middleX = at.left + at.width / 2 - own.width / 2
    const middleY = at.top + at.height / 2 - own.height / 2
    const x = used === 'left' ? at.left - own.width - gap : used === 'right' ? at.right + gap : middleX
    const y = used === 'top' ? at.top - own.height - gap : used === 'bottom' ? at.bottom + gap : middleY
    bubble.style.left = `${Math.max(8, Math.min(innerWidth - own.width - 8, x))}px`
    bubble.style.top = `${Math.max(8, Math.min(innerHeight - own.height - 8, y))}px`
    bubble.style.visibility = 'visible'
  }, [target, side])
  return (
    <div
      ref={place}
      id={id}
      role="tooltip"
      className="anim-appear pointer-events-none invisible fixed z-60 flex w-max max-w-72 items-center gap-2 rounded-md bg-ink px-2 py-1 text-xs text-surface shadow-mid"
    >
      {children}
    </div>
  )
}

const opposite: Record<Side, Side> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' }
