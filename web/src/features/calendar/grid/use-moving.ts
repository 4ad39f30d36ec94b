/**
 * Events of a grid are drawn, moved and stretched: by the mouse, by a finger that stays where it is before it drags, or by
 * the arrow keys on one that has the focus.
 */
import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent as ReactPointerEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import { announce } from '../../../lib/announce.ts'
import { formatRange } from '../data/format.ts'
import { type Range, drawRange, keyRange, moveRange, stepMinutes, stretchRange } from '../layout/drag.ts'
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
  /** What scrolls where a finger drags to its edge. */
  readonly scroller?: () => HTMLElement | null
  /** Steps of the grid: quarters of an hour, or days. What lasts all day goes by days everywhere. */
  readonly unit: 'hours' | 'days'
}

/** How far the mouse goes before it drags, in pixels. */
const slack = 4
/** How long a finger stays before it drags, in milliseconds, and how far it may go meanwhile; one that goes further scrolls. */
const holdMs = 450
const holdSlack = 10
/** So near to the edge a finger scrolls, by so much. */
const edgePixels = 40
const edgeStep = 12
/** What a finger draws that does not move on. */
const drawnMinutes = 60

export function useMoving({ wallAt, onMove, onDraw, unit, scroller }: Options): Handlers {
  const t = useText('calendar')
  const [moving, setMoving] = useState<Moving | null>(null)
  const stop = useRef<() => void>(undefined)
  const isTouching = useRef(false)
  // Once a finger drags, the page stays where it is; the browser asks only those who listened before the finger came.
  useEffect(() => {
    const keep = (event: Event) => {
      if (isTouching.current) event.preventDefault()
    }
    const options = { passive: false, capture: true }
    document.addEventListener('touchmove', keep, options)
    document.addEventListener('contextmenu', keep, options)
    return () => {
      document.removeEventListener('touchmove', keep, options)
      document.removeEventListener('contextmenu', keep, options)
      stop.current?.()
    }
  }, [])

  function press(down: ReactPointerEvent, what: Gesture, of: Placement | null) {
    if (down.button !== 0) return
    const from = wallAt(down.clientX, down.clientY)
    if (from === null) return
    stop.current?.()
    const byDays = unit === 'days' || what === 'draw-days' || (of?.isBand ?? false)
    const isTouch = down.pointerType === 'touch'
    let isHeld = !isTouch
    let isDragged = false
    let range: Range | null = null
    const show = (next: Range) => {
      range = next
      setMoving({ key: of?.key ?? null, range: next, byKeys: false })
    }
    const hold = () => {
      isHeld = true
      isTouching.current = true
      navigator.vibrate?.(10)
      const reach = byDays ? from : Math.floor(from / stepMinutes) * stepMinutes + drawnMinutes
      show(of ? of.range : dragged({ what, from, to: reach, byDays, of }))
    }
    const timer = isTouch ? setTimeout(hold, holdMs) : undefined
    const drag = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return
      const far = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY)
      if (!isHeld) {
        if (far > holdSlack) stop.current?.()
        return
      }
      if (!isDragged && far < slack) return
      isDragged = true
      if (isTouch) scrollAtEdge(scroller?.() ?? null, event.clientY)
      const to = wallAt(event.clientX, event.clientY)
      if (to !== null) show(dragged({ what, from, to, byDays, of }))
    }
    const end = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return
      stop.current?.()
      if (!range) return
      // What is let go of was dragged, not clicked.
      const swallow = (click: MouseEvent) => click.stopPropagation()
      addEventListener('click', swallow, { capture: true, once: true })
      // Of a finger it comes a moment later.
      setTimeout(() => removeEventListener('click', swallow, { capture: true }), isTouch ? 100 : 0)
      if (!of) onDraw(range, byDays)
      else if (!isSame(range, of.range)) onMove(of, range)
    }
    const cancel = (event: Event) => {
      if (event instanceof globalThis.KeyboardEvent && event.key !== 'Escape') return
      event.stopPropagation()
      stop.current?.()
    }
    stop.current = () => {
      clearTimeout(timer)
      isTouching.current = false
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

function scrollAtEdge(box: HTMLElement | null, y: number): void {
  if (!box) return
  const { top, bottom } = box.getBoundingClientRect()
  if (y < top + edgePixels) box.scrollTop -= edgeStep
  else if (y > bottom - edgePixels) box.scrollTop += edgeStep
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
