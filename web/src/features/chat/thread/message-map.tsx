import type { Message } from '@atrium/contract/chat'
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useMemo, useState } from 'react'
import { classNames } from '../../../lib/class-names.ts'
import { goToMessage, type OpenChat } from '../open/store.ts'
import { useText } from 'virtual:words/chat'

/** Between the text and the edge of the view, in px: where there is less, the strip would cover words. */
const leastRoom = 40
/** As much of a text as a preview shows. */
const previewLength = 240

interface Turn {
  readonly id: string
  /** Its place among the messages. */
  readonly index: number
  readonly question: string
  readonly answer: string
}

/**
 * A strip beside the scroll bar with a tick for each question of the loaded part of a chat. It is one control: click or
 * drag, or arrow keys, go to a question, and what is said there is shown beside it.
 */
export function MessageMap({
  chat,
  messages,
  box,
  starts,
  offset,
}: {
  chat: OpenChat
  messages: readonly Message[]
  /** What scrolls. */
  box: RefObject<HTMLElement | null>
  /** Where each message begins, and how far the view has scrolled, in px. */
  starts: readonly { readonly start: number }[]
  offset: number
}) {
  const t = useText('chat')
  const turns = useMemo(() => turnsOf(messages), [messages])
  const [pointed, setPointed] = useState<number | null>(null)
  const [focused, setFocused] = useState(false)
  const hasRoom = useRoom(box)
  const inView = turns.findLastIndex(({ index }) => (starts[index]?.start ?? Number.POSITIVE_INFINITY) < offset + 80)
  const current = Math.max(0, inView)
  const shown = pointed ?? (focused ? current : null)
  const preview = shown === null ? undefined : turns[shown]
  const now = turns[current]
  if (!hasRoom || !now) return null

  const go = (place: number, quietly = false) => {
    const turn = turns[Math.max(0, Math.min(turns.length - 1, place))]
    if (turn) void goToMessage(chat, turn.id, quietly ? () => 0 : undefined)
  }
  const placeAt = (event: PointerEvent<HTMLElement>): number => {
    const { top, height } = event.currentTarget.getBoundingClientRect()
    return Math.max(0, Math.min(turns.length - 1, Math.floor(((event.clientY - top) / height) * turns.length)))
  }
  function onPointerMove(event: PointerEvent<HTMLElement>) {
    const place = placeAt(event)
    if (event.currentTarget.hasPointerCapture(event.pointerId) && place !== pointed) go(place, true)
    setPointed(place)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, PageUp: -5, PageDown: 5 }
    const step = steps[event.key]
    if (step !== undefined) go(current + step, true)
    else if (event.key === 'Home') go(0, true)
    else if (event.key === 'End') go(turns.length - 1, true)
    else return
    event.preventDefault()
  }
  const place = t('map.place', { index: current + 1, count: turns.length })
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t('map.label')}
      aria-orientation="vertical"
      aria-valuemin={1}
      aria-valuemax={turns.length}
      aria-valuenow={current + 1}
      aria-valuetext={now.question ? `${place}: ${now.question}` : place}
      onKeyDown={onKeyDown}
      onFocus={(event) => setFocused(event.currentTarget.matches(':focus-visible'))}
      onBlur={() => setFocused(false)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        go(placeAt(event))
      }}
      onPointerMove={onPointerMove}
      onPointerLeave={() => setPointed(null)}
      style={{ height: `min(70%, ${turns.length * 0.75}rem)` }}
      className="absolute end-3 top-1/2 flex w-6 -translate-y-1/2 cursor-pointer touch-none flex-col rounded-sm py-1 outline-offset-2 focus-visible:outline-2 focus-visible:outline-ring"
    >
      {turns.map(({ id }, at) => (
        <span key={id} className="flex min-h-0 flex-1 items-center justify-end">
          <span
            className={classNames(
              'h-0.5 rounded-full',
              at === current ? 'w-4 bg-accent' : at === shown ? 'w-4 bg-ink' : 'w-2.5 bg-line-strong',
            )}
          />
        </span>
      ))}
      {preview && shown !== null && (
        <div
          aria-hidden
          style={{ top: `${((shown + 0.5) / turns.length) * 100}%` }}
          className="anim-appear pointer-events-none absolute end-full me-2 flex w-72 -translate-y-1/2 flex-col gap-1 rounded-lg border border-line bg-raised p-3 text-sm shadow-mid"
        >
          <p dir="auto" className="line-clamp-2 font-medium break-words">
            {preview.question || t('map.place', { index: shown + 1, count: turns.length })}
          </p>
          {preview.answer && (
            <p dir="auto" className="line-clamp-2 break-words text-muted">
              {preview.answer}
            </p>
          )}
        </div>
      )}
    </div>
  )
}

const turnsOf = (messages: readonly Message[]): Turn[] =>
  messages.flatMap(({ id, role, content }, index) => {
    if (role !== 'user') return []
    const next = messages[index + 1]
    const answer = next?.role === 'assistant' ? next.content : ''
    return { id, index, question: content.slice(0, previewLength), answer: answer.slice(0, previewLength) }
  })

/** Whether there is room for the strip beside the text. */
function useRoom(box: RefObject<HTMLElement | null>): boolean {
  const [hasRoom, setHasRoom] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const look = () => {
      const text = element.querySelector<HTMLElement>('[data-message]')
      setHasRoom(text !== null && (element.clientWidth - text.clientWidth) / 2 >= leastRoom)
    }
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [box])
  return hasRoom
}
