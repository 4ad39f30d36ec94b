import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { classNames } from '../lib/class-names.ts'

/**
 * The edge of a panel, moved by dragging or by keys: arrows 2 px, with Shift or Page keys 10, Home and End to the
 * limits, Enter to collapse. `panel` says on which side of the handle the panel lies.
 */
export function ResizeHandle({
  label,
  panel,
  value,
  min,
  max,
  onChange,
  onCommit,
  onCollapse,
  className,
}: {
  label: string
  panel: 'start' | 'end'
  value: number
  min: number
  max: number
  /** While it moves. */
  onChange: (width: number) => void
  /** Once it rests, with the last width. */
  onCommit: (width: number) => void
  onCollapse?: () => void
  className?: string
}) {
  const drag = useRef<{ from: number; width: number; last: number } | null>(null)
  const [dragging, setDragging] = useState(false)
  const fit = (width: number) => Math.round(Math.min(max, Math.max(min, width)))
  /** +1 where moving right makes the panel wider. */
  const sign = (node: Element) => (panel === 'start' ? 1 : -1) * (getComputedStyle(node).direction === 'rtl' ? -1 : 1)

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const step = event.shiftKey ? 10 : 2
    const grow = sign(event.currentTarget)
    const width: Record<string, number | undefined> = {
      ArrowRight: value + step * grow,
      ArrowLeft: value - step * grow,
      PageUp: value + 10,
      PageDown: value - 10,
      Home: min,
      End: max,
    }
    if (event.key === 'Enter' && onCollapse) {
      event.preventDefault()
      return onCollapse()
    }
    const next = width[event.key]
    if (next === undefined) return
    event.preventDefault()
    onChange(fit(next))
    onCommit(fit(next))
  }
  function onPointerDown(event: PointerEvent<HTMLDivElement>) {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { from: event.clientX, width: value, last: value }
    setDragging(true)
  }
  function onPointerMove(event: PointerEvent<HTMLDivElement>) {
    if (!drag.current) return
    drag.current.last = fit(drag.current.width + (event.clientX - drag.current.from) * sign(event.currentTarget))
    onChange(drag.current.last)
  }
  function onPointerEnd() {
    if (!drag.current) return
    onCommit(drag.current.last)
    drag.current = null
    setDragging(false)
  }

  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={Math.round(value)}
      aria-valuemin={min}
      aria-valuemax={max}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerEnd}
      onPointerCancel={onPointerEnd}
      onDoubleClick={onCollapse}
      className={classNames(
        'group absolute inset-y-0 z-10 w-2 cursor-col-resize touch-none select-none focus-visible:outline-none',
        panel === 'start' ? '-end-1' : '-start-1',
        className,
      )}
    >
      <span
        aria-hidden
        className={classNames(
          'absolute inset-y-0 start-[3px] w-0.5 transition-colors group-hover:bg-accent-line group-focus-visible:bg-ring group-focus-visible:w-1',
          dragging && 'bg-accent-line',
        )}
      />
    </div>
  )
}
