import { defaultRangeExtractor, elementScroll, useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import {
  lazy,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { usePreferences } from '../../../api/account.ts'
import { beginsDay } from '../../../blocks/timeline/days.ts'
import { useRowKeys } from '../../../blocks/timeline/row-keys.ts'
import { prefersReducedMotion, useScrollAnchor } from '../../../blocks/timeline/use-scroll-anchor.ts'
import { useAction } from '../../../lib/actions.ts'
import { classNames } from '../../../lib/class-names.ts'
import { usePhone } from '../../../lib/media.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import type { Conversation } from '../open/conversation.ts'
import { goToEnd, loadEarlier, loadLater, type OpenChat, type OpenState, useOpen } from '../open/store.ts'
import { FindBar } from '../find/find-bar.tsx'
import { useText } from 'virtual:words/chat'
import { ForkedFrom } from './forked-from.tsx'
import { MessageRow } from './message-row.tsx'
import { QuoteBar } from './quote-bar.tsx'
import { ThreadEnd } from './thread-end.tsx'

const MessageMap = lazy(() => import('./message-map.tsx').then(({ MessageMap }) => ({ default: MessageMap })))
/** Questions that a chat has before it gets a map. */
const leastMapped = 6

const topSpace = 56
const questionSpace = 16
const reach = 1200

/** The messages of a chat; only the rows near the view are in the page. */
export function Thread({ chat, conversation }: { chat: OpenChat; conversation: Conversation }) {
  const t = useText('chat')
  const { messages, live } = conversation
  const isOwn = conversation.head.ownerName === null
  const followStyle = usePreferences().chat.follow
  const box = useRef<HTMLDivElement>(null)
  const { anchor, mode, away } = useScrollAnchor(box)
  const loading = useOpen(chat, (state) => state.loading)
  const asks = useOpen(chat, (state) => state.asks)
  const target = useOpen(chat, (state) => state.target)
  /** The question that is held at the top of the view while its answer grows. */
  const [held, setHeld] = useState<string | null>(null)
  const [flash, setFlash] = useState<typeof target>(null)
  const rowKeys = useRowKeys(messages)
  const isMapped = useMemo(() => messages.filter(({ role }) => role === 'user').length >= leastMapped, [messages])
  const phone = usePhone()

  const places = useMemo(() => new Map(messages.map((m, index) => [m.id, index])), [messages])
  const kept = [rowKeys.focused, live?.messageId, held].flatMap((id) => (id ? [places.get(id)] : []))
  const virtual = useVirtualizer({
    count: messages.length,
    getScrollElement: () => box.current,
    getItemKey: useCallback((index: number) => messages[index]?.id ?? index, [messages]),
    estimateSize: useCallback((index: number) => estimate(messages[index]?.content.length ?? 0), [messages]),
    overscan: 4,
    paddingStart: topSpace,
    // Earlier pages push the view down by their height, so that what is read stays where it is.
    anchorTo: 'end',
    // The end is followed by the anchor alone.
    scrollEndThreshold: Number.NEGATIVE_INFINITY,
    useFlushSync: false,
    rangeExtractor: (range) => {
      const rows = new Set(defaultRangeExtractor(range))
      for (const index of kept) if (index !== undefined && index < range.count) rows.add(index)
      return [...rows].sort((a, b) => a - b)
    },
    scrollToFn: (offset, options, instance) => {
      anchor.wrote(offset + (options.adjustments ?? 0))
      elementScroll(offset, options, instance)
    },
  })

  // Below a held question there is room enough for it to stand at the top of the view.
  const height = box.current?.clientHeight ?? 0
  const heldAt = held === null ? undefined : virtual.measurementsCache[places.get(held) ?? -1]?.start
  const [endHeight, setEndHeight] = useState(0)
  const endSpace =
    heldAt === undefined ? 0 : Math.max(0, height - (virtual.getTotalSize() + endHeight - heldAt) - questionSpace)

  const log = useCallback(() => box.current, [])
  const pin = usePin(box)
  const placed = useRef<string | null>(null)
  useLayoutEffect(() => {
    // A question is put into its place once; later the view stays where it is.
    if (held !== placed.current) {
      placed.current = held
      if (heldAt !== undefined) anchor.hold(heldAt - questionSpace, true)
    }
    const pinned = pin.current
    const start = pinned === null ? undefined : virtual.measurementsCache[places.get(pinned.messageId) ?? -1]?.start
    if (start !== undefined) anchor.hold(start - questionSpace + (pinned?.within?.() ?? 0), true)
    else anchor.grew()
  })

  // A question was asked.
  const seenAsks = useRef(live ? -1 : asks)
  useLayoutEffect(() => {
    if (seenAsks.current === asks) return
    seenAsks.current = asks
    const question = messages.findLast((m) => m.role === 'user')
    if (followStyle === 'question' && question) setHeld(question.id)
    else anchor.toEnd(prefersReducedMotion())
  }, [asks, messages, followStyle, anchor])

  // A link to a message, or a jump to one.
  const seenTarget = useRef<typeof target>(null)
  useEffect(() => {
    const index = target ? places.get(target.messageId) : undefined
    if (!target || index === undefined || seenTarget.current === target) return
    seenTarget.current = target
    pin.current = target
    anchor.hold((virtual.measurementsCache[index]?.start ?? 0) - questionSpace + (target.within?.() ?? 0), true)
    setFlash(target)
  }, [target, places, pin, anchor, virtual])
  useEffect(() => {
    if (flash === null) return
    const timer = setTimeout(() => {
      setFlash(null)
      pin.current = null
    }, 1600)
    return () => clearTimeout(timer)
  }, [flash, pin])

  // More of the path, before the view reaches its edge.
  const offset = virtual.scrollOffset ?? 0
  useEffect(() => {
    if (loading) return
    if (conversation.earlier && offset < reach) void loadEarlier(chat)
    else if (conversation.later && virtual.getTotalSize() - offset - height < reach) void loadLater(chat)
  })

  const toEnd = () => void goToEnd(chat).then(() => anchor.toEnd(prefersReducedMotion()))
  const toQuestion = (step: -1 | 1) => {
    const top = (box.current?.scrollTop ?? 0) + questionSpace
    const starts = messages.flatMap((m, index) =>
      m.role === 'user' ? [{ id: m.id, index, start: virtual.measurementsCache[index]?.start ?? 0 }] : [],
    )
    const next = step < 0 ? starts.findLast((q) => q.start < top - 4) : starts.find((q) => q.start > top + 4)
    if (!next) return step > 0 ? toEnd() : undefined
    anchor.hold(next.start - questionSpace, prefersReducedMotion())
    rowKeys.focus(next.id)
  }
  useAction('chat.previous-question', () => toQuestion(-1))
  useAction('chat.next-question', () => toQuestion(1))

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <FindBar chat={chat} log={log} />
      <div
        ref={box}
        role="log"
        aria-live="off"
        aria-label={t('thread.label', { title: conversation.head.title })}
        onKeyDown={rowKeys.onKeyDown}
        className="isolate min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        <div className="relative w-full" style={{ height: virtual.getTotalSize() }}>
          <div
            className="absolute inset-x-0 top-0 grid place-items-center text-sm text-muted"
            style={{ height: topSpace }}
          >
            {conversation.earlier ? (
              loading === 'earlier' && <Spinner label={t('thread.loadingEarlier')} />
            ) : (
              <ForkedFrom from={conversation.head.forkedFrom} />
            )}
          </div>
          {virtual.getVirtualItems().map((item) => {
            const message = messages[item.index]
            if (!message) return null
            return (
              <div
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                className="absolute inset-x-0"
                // Not a transform: what sticks to the top inside of a row is placed by layout alone.
                style={{ top: item.start }}
              >
                <MessageRow
                  message={message}
                  newDay={beginsDay(
                    message.createdAt,
                    messages[item.index - 1]?.createdAt,
                    conversation.earlier !== null,
                  )}
                  isLast={item.index === messages.length - 1}
                  live={live?.messageId === message.id}
                  flash={flash?.messageId === message.id && !flash.within}
                  tabbable={rowKeys.tabbable === message.id}
                />
              </div>
            )
          })}
        </div>
        <ThreadEnd chat={chat} conversation={conversation} onHeight={setEndHeight} />
        <div aria-hidden style={{ height: endSpace }} />
      </div>
      {isMapped && !phone && (
        <Suspense>
          <MessageMap chat={chat} messages={messages} box={box} starts={virtual.measurementsCache} offset={offset} />
        </Suspense>
      )}
      {isOwn && <QuoteBar within={box} />}
      <div
        className={classNames(
          'pointer-events-none absolute inset-x-0 bottom-2 flex justify-center gap-1 transition-opacity',
          away || conversation.later ? 'opacity-100' : 'opacity-0',
        )}
      >
        {(away || conversation.later) && (
          <div className="pointer-events-auto flex gap-1 rounded-full border border-line bg-raised p-0.5 shadow-mid">
            <IconButton
              label={t('thread.toQuestion')}
              keys="Alt+ArrowUp"
              icon={<ArrowUp />}
              size="small"
              tooltipSide="top"
              className="rounded-full"
              onClick={() => toQuestion(-1)}
            />
            <IconButton
              label={live && mode === 'free' ? t('thread.toEndRunning') : t('thread.toEnd')}
              icon={live ? <RunningArrow /> : <ArrowDown />}
              size="small"
              tooltipSide="top"
              className="rounded-full"
              onClick={toEnd}
            />
          </div>
        )}
      </div>
    </div>
  )
}

/**
 * The message that a link led to. Until the rows around it are measured and loaded it is put into its place again and
 * again; whatever the person does ends that.
 */
function usePin(box: RefObject<HTMLElement | null>): RefObject<OpenState['target']> {
  const pin = useRef<OpenState['target']>(null)
  useEffect(() => {
    const element = box.current
    const free = () => {
      pin.current = null
    }
    const kinds = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const
    for (const kind of kinds) element?.addEventListener(kind, free, { passive: true })
    return () => {
      for (const kind of kinds) element?.removeEventListener(kind, free)
    }
  }, [box])
  return pin
}

/** Down, and something is being written there. */
const RunningArrow = () => (
  <span className="relative grid place-items-center">
    <ArrowDown />
    <span aria-hidden className="absolute -end-1.5 -top-1 size-2 animate-pulse rounded-full bg-accent" />
  </span>
)

/** A first guess at the height of a row, until it is measured. */
const estimate = (characters: number) => 88 + Math.min(2400, Math.ceil(characters / 84) * 26)
