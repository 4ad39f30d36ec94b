/** Events of a grid are drawn, moved and stretched: by the mouse, or by the arrow keys on one that has the focus. */
import { type FocusEvent, type KeyboardEvent, type PointerEvent as ReactPointerEvent, useRef, useState } from 'react'
import { announce } from '../../../lib/announce.ts'
import { formatRange } from '../data/format.ts'
import { type Range, drawRange, keyRange, moveRange, stretchRange } from '../layout/drag.ts'
import type { Placement } from '../layout/placement.ts'
import { type Wall, dayOfWall, minuteOfWall, wallOf } from '../time/day.ts'
import { useText } from 'virtual:words/calendar'

export interface Moving {
  /** null: a new one is being drawn. */
  readonly key: string | null
  readonly range: Range
  readonly byKeys: boolean
}

/** A new one over hours or over days, or another place or end for one that is there. */
export type Gesture = 'draw' | 'draw-days' | 'move' | 'stretch'

export interface Handlers {
  readonly moving: Moving | null
  /** The mouse went down on an event, its edge, or the empty grid. */
  readonly press: (event: ReactPointerEvent, what: Gesture, of: Placement | null) => void
  readonly keyDown: (event: KeyboardEvent, of: Placement) => void
  readonly blur: (event: FocusEvent) => void
}

interface Options {
  /** What stands under a point of the window: a time over hours, midnight over days. */
  readonly wallAt: (x: number, y: number) => Wall | null
  readonly onMove: (placement: Placement, range: Range) => void
  readonly onDraw: (range: Range, allDay: boolean) => void
  /** Steps of the grid: quarters of an hour, or days. What lasts all day goes by days everywhere. */
  readonly unit: 'hours' | 'days'
}

/** How far the mouse goes before it drags, in pixels. */
const slack = 4

export function useMoving({ wallAt, onMove, onDraw, unit }: Options): Handlers {
  const t = useText('calendar')
  const [moving, setMoving] = useState<Moving | null>(null)
  const stop = useRef<() => void>(undefined)

  function press(down: ReactPointerEvent, what: Gesture, of: Placement | null) {
    // Fingers scroll; they change times in the event’s window.
    if (down.button !== 0 || down.pointerType === 'touch') return
    const from = wallAt(down.clientX, down.clientY)
    if (from === null) return
    stop.current?.()
    const byDays = unit === 'days' || what === 'draw-days' || (of?.isBand ?? false)
    let range: Range | null = null
    const drag = (event: PointerEvent) => {
      if (!range && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < slack) return
      const to = wallAt(event.clientX, event.clientY)
      if (to === null) return
      range = dragged({ what, from, to, byDays, of })
      setMoving({ key: of?.key ?? null, range, byKeys: false })
    }
    const end = () => {
      stop.current?.()
      if (!range) return
      // What is let go of was dragged, not clicked.
      const swallow = (event: MouseEvent) => event.stopPropagation()
      addEventListener('click', swallow, { capture: true, once: true })
      setTimeout(() => removeEventListener('click', swallow, { capture: true }))
      if (!of) onDraw(range, byDays)
      else if (!isSame(range, of.range)) onMove(of, range)
    }
    const cancel = (event: Event) => {
      if (event instanceof globalThis.KeyboardEvent && event.key !== 'Escape') return
      event.stopPropagation()
      stop.current?.()
    }
    stop.current = () => {
      removeEventListener('pointermove', drag)
      removeEventListener('pointerup', end)
      removeEventListener('pointercancel', cancel)
      removeEventListener('keydown', cancel, { capture: true })
      stop.current = undefined
      setMoving(null)
    }
    addEventListener('pointermove', drag)
    addEventListener('pointerup', end)
    addEventListener('pointercancel', cancel)
    addEventListener('keydown', cancel, { capture: true })
  }

  function keyDown(event: KeyboardEvent, of: Placement) {
    const mine = moving?.byKeys && moving.key === of.key ? moving : null
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    const next =
      isPlain &&
      keyRange(mine?.range ?? of.range, { key: event.key, shiftKey: event.shiftKey, rtl }, of.isBand ? 'days' : unit)
    if (next) {
      setMoving({ key: of.key, range: next, byKeys: true })
      announce(t(mine ? 'moving' : 'movingFirst', { when: formatRange(next, of.event.allDay) }), 'assertive')
    } else if (mine && event.key === 'Enter') {
      setMoving(null)
      if (!isSame(mine.range, of.range)) onMove(of, mine.range)
    } else if (mine && event.key === 'Escape') {
      setMoving(null)
      announce(t('movingCancelled'))
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  const blur = () => moving?.byKeys && setMoving(null)
  return { moving, press, keyDown, blur }
}

interface Drag {
  readonly what: Gesture
  readonly from: Wall
  readonly to: Wall
  readonly byDays: boolean
  readonly of: Placement | null
}

function dragged({ what, from, to, byDays, of }: Drag): Range {
  const [fromDay, toDay] = [dayOfWall(from), dayOfWall(to)]
  if (!of) {
    if (!byDays) return drawRange(from, to)
    return { start: wallOf(Math.min(fromDay, toDay), 0), end: wallOf(Math.max(fromDay, toDay) + 1, 0) }
  }
  if (what === 'stretch') {
    const edge = byDays ? wallOf(Math.max(dayOfWall(of.range.start), toDay) + 1, 0) : to
    return stretchRange(of.range, 'end', edge)
  }
  return moveRange(of.range, toDay - fromDay, byDays ? 0 : minuteOfWall(to) - minuteOfWall(from))
}

const isSame = (a: Range, b: Range): boolean => a.start === b.start && a.end === b.end
