import { Repeat2 } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { classNames } from '../../../lib/class-names.ts'
import { isWritable } from '../data/events.ts'
import { colorOfEvent, colorToStyle } from '../data/colors.ts'
import { sayEvent } from '../data/event-words.ts'
import type { Placement } from '../layout/placement.ts'
import { useGrid } from './grid-context.ts'
import type { Handlers } from './use-moving.ts'
import { useText } from 'virtual:words/calendar'

/** One event in a grid: opened by a click or Enter, moved by the mouse or the arrow keys where its viewer may. */
export function EventButton({
  placement,
  handlers,
  look,
  tabbable,
  style,
  className,
  children,
}: {
  placement: Placement
  handlers: Handlers
  /** A box of its colour, or a line with a dot of it. */
  look: 'box' | 'line'
  /** Whether Tab stops here. */
  tabbable: boolean
  style?: CSSProperties
  className?: string
  /** What is seen; what is read aloud is said by itself. */
  children: ReactNode
}) {
  const t = useText('calendar')
  const { calendars, zone, onOpen } = useGrid()
  const { event } = placement
  const mayChange = isWritable(event)
  const isMoved = handlers.moving?.key === placement.key
  return (
    <button
      type="button"
      data-event={placement.key}
      tabIndex={tabbable ? 0 : -1}
      aria-keyshortcuts={mayChange ? 'ArrowUp ArrowDown ArrowLeft ArrowRight' : undefined}
      style={Object.assign(colorToStyle(colorOfEvent(event, calendars)), style)}
      onPointerDown={(press) => {
        press.stopPropagation()
        if (mayChange) handlers.press(press, 'move', placement)
      }}
      onClick={(click) => {
        click.stopPropagation()
        onOpen(event)
      }}
      onKeyDown={(press) => {
        if (mayChange) handlers.keyDown(press, placement)
        // The grid around it has keys of its own.
        if (press.key === 'Enter' || press.key === ' ') press.stopPropagation()
      }}
      onBlur={handlers.blur}
      className={classNames(
        'min-w-0 overflow-hidden rounded-sm text-start text-xs select-none focus-visible:z-20 focus-visible:-outline-offset-1',
        look === 'box'
          ? 'border-s-3 border-(--tint) bg-[color-mix(in_oklab,var(--tint)_22%,var(--surface))] px-1.5 outline-(--tint) hover:bg-[color-mix(in_oklab,var(--tint)_34%,var(--surface))] in-data-[theme^=contrast]:border-y in-data-[theme^=contrast]:border-e'
          : 'px-1 hover:bg-hover',
        (event.status === 'tentative' || event.answer === 'waiting' || event.answer === 'maybe') &&
          look === 'box' &&
          'border border-s-3 border-dashed',
        event.status === 'cancelled' && 'line-through',
        isMoved && 'opacity-40',
        className,
      )}
    >
      <span className="sr-only">{sayEvent(t, placement, calendars, zone)}</span>
      {children}
    </button>
  )
}

/** The sign of what repeats. */
export function RepeatSign({ placement }: { placement: Placement }) {
  return placement.event.recurrence && <Repeat2 aria-hidden className="inline size-3 shrink-0 text-muted" />
}
