import type { ChannelPerson } from '@atrium/contract/channels'
import { defaultRangeExtractor, elementScroll, useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useRowKeys } from '../../../blocks/timeline/row-keys.ts'
import { prefersReducedMotion, useScrollAnchor } from '../../../blocks/timeline/use-scroll-anchor.ts'
import { Button } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { CatchUpButton } from '../catch-up/catch-up-button.tsx'
import { useOutbox } from '../open/outbox.ts'
import { goToEnd, loadEarlier, loadLater } from '../open/load.ts'
import { type OpenTimeline, useOpen } from '../open/store.ts'
import { firstUnread, type Timeline as Messages } from '../open/timeline.ts'
import { useText } from 'virtual:words/channels'
import { Beginning } from './beginning.tsx'
import { useChannel } from './context.ts'
import { EndButton } from './end-button.tsx'
import { DayLine, NewLine } from './lines.tsx'
import { MessageRow } from './message-row.tsx'
import { rowsOf } from './rows.ts'
import { UnreadBar } from './unread-bar.tsx'
import { useSeen } from './use-seen.ts'

const topSpace = 64
const reach = 1000
const lineSpace = 24
/** So many new messages are worth a summary. */
const manyMissed = 5

/** The messages of a channel; only the rows near the view are in the page. */
export function Timeline({ open, timeline, name }: { open: OpenTimeline; timeline: Messages; name: string }) {
  const t = useText('channels')
  const { channel, me, editing, reacting } = useChannel()
  const box = useRef<HTMLDivElement>(null)
  const { anchor, mode, away } = useScrollAnchor(box)
  const [loading, stuck, target, newFrom, sent] = [
    useOpen(open, (state) => state.loading),
    useOpen(open, (state) => state.stuck),
    useOpen(open, (state) => state.target),
    useOpen(open, (state) => state.newFrom),
    useOpen(open, (state) => state.sent),
  ]
  const rows = useRows(open, timeline, me, newFrom)
  const [flash, setFlash] = useState<typeof target>(null)
  const rowKeys = useRowKeys(rows, { within: box })
  const places = useMemo(() => new Map(rows.map(({ id }, index) => [id, index])), [rows])
  const kept = [rowKeys.focused, editing, reacting].flatMap((id) => (id ? [places.get(id)] : []))
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    getItemKey: useCallback((index: number) => rows[index]?.id ?? index, [rows]),
    estimateSize: useCallback((index: number) => estimate(rows[index]?.message.content.length ?? 0), [rows]),
    overscan: 6,
    paddingStart: topSpace,
    paddingEnd: 12,
    // Earlier pages push the view down by their height, so that what is read stays where it is.
    anchorTo: 'end',
    // The end is followed by the anchor alone.
    scrollEndThreshold: Number.NEGATIVE_INFINITY,
    useFlushSync: false,
    rangeExtractor: (range) => {
      const shown = new Set(defaultRangeExtractor(range))
      for (const index of kept) if (index !== undefined && index < range.count) shown.add(index)
      return [...shown].sort((a, b) => a - b)
    },
    scrollToFn: (offset, options, instance) => {
      anchor.wrote(offset + (options.adjustments ?? 0))
      elementScroll(offset, options, instance)
    },
  })

  // The message that a link led to, or the line above what is new: put into its place until the rows around it are measured.
  const pin = useRef<string | null>(rows.find(({ newLine }) => newLine)?.id ?? null)
  useLayoutEffect(() => {
    const start = pin.current === null ? undefined : virtual.measurementsCache[places.get(pin.current) ?? -1]?.start
    if (start === undefined) anchor.grew()
    else anchor.hold(start - lineSpace, true)
  })
  useEffect(() => {
    const element = box.current
    const free = () => {
      pin.current = null
    }
    const timer = setTimeout(free, 1600)
    const kinds = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const
    for (const kind of kinds) element?.addEventListener(kind, free, { passive: true })
    return () => {
      clearTimeout(timer)
      for (const kind of kinds) element?.removeEventListener(kind, free)
    }
  }, [target])
  const seenTarget = useRef<typeof target>(null)
  useLayoutEffect(() => {
    if (!target || seenTarget.current === target || !places.has(target.messageId)) return
    seenTarget.current = target
    pin.current = target.messageId
    anchor.hold((virtual.measurementsCache[places.get(target.messageId) ?? -1]?.start ?? 0) - lineSpace, true)
    setFlash(target)
  }, [target, places, anchor, virtual])
  useEffect(() => {
    if (flash === null) return
    const timer = setTimeout(() => setFlash(null), 1600)
    return () => clearTimeout(timer)
  }, [flash])

  // One's own message is what one wants to see.
  const seenSent = useRef(sent)
  useLayoutEffect(() => {
    if (seenSent.current === sent) return
    seenSent.current = sent
    pin.current = null
    anchor.toEnd(prefersReducedMotion())
  }, [sent, anchor])

  const offset = virtual.scrollOffset ?? 0
  const height = box.current?.clientHeight ?? 0
  useEffect(() => {
    if (loading || stuck) return
    if (timeline.cursor && offset < reach) void loadEarlier(open)
    else if (timeline.hasNewer && virtual.getTotalSize() - offset - height < reach) void loadLater(open)
  })
  useSeen(open, box, rows)
  const toEnd = () => {
    pin.current = null
    void goToEnd(open).then(() => anchor.toEnd(prefersReducedMotion()))
  }

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <UnreadBar open={open} timeline={timeline} />
      <div
        ref={box}
        role="log"
        aria-live="off"
        aria-label={t('timeline.label', { name })}
        onKeyDown={rowKeys.onKeyDown}
        className="isolate min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        {/* Few messages stand at the end, above the box. */}
        <div className="flex min-h-full flex-col justify-end">
          <div className="relative w-full" style={{ height: virtual.getTotalSize() }}>
            <div className="absolute inset-x-0 top-0 grid place-items-center px-4" style={{ height: topSpace }}>
              {stuck ? (
                <Button size="small" onClick={() => void loadEarlier(open)}>
                  {t('timeline.failed')} · {t('timeline.retry')}
                </Button>
              ) : timeline.cursor ? (
                loading === 'earlier' && <Spinner label={t('timeline.earlier')} />
              ) : (
                <Beginning channel={channel} name={name} />
              )}
            </div>
            {virtual.getVirtualItems().map((item) => {
              const row = rows[item.index]
              if (!row) return null
              return (
                <div
                  key={item.key}
                  ref={virtual.measureElement}
                  data-index={item.index}
                  className="absolute inset-x-0"
                  style={{ top: item.start }}
                >
                  {row.newDay && <DayLine time={row.message.createdAt} />}
                  {row.newLine && (
                    <>
                      <NewLine time={row.message.createdAt} />
                      {rows.length - item.index >= manyMissed && (
                        <div className="grid place-items-center pb-1">
                          <CatchUpButton />
                        </div>
                      )}
                    </>
                  )}
                  <MessageRow
                    message={row.message}
                    unsent={row.unsent}
                    continued={row.continued}
                    flash={flash?.messageId === row.id}
                    tabbable={rowKeys.tabbable === row.id}
                  />
                </div>
              )
            })}
          </div>
        </div>
      </div>
      <EndButton shown={away || timeline.hasNewer} following={mode === 'end'} open={open} onEnd={toEnd} />
    </div>
  )
}

function useRows(open: OpenTimeline, timeline: Messages, me: ChannelPerson, newFrom: number | null) {
  const unsent = useOutbox((state) => state.unsent)
  const newId = newFrom === null ? undefined : firstUnread(timeline.messages, newFrom, me.id)?.id
  return useMemo(() => {
    const mine = unsent.filter(
      ({ channelId, parentId, inChannel }) => channelId === open.channelId && (parentId === null || inChannel),
    )
    return rowsOf(timeline, mine, me, newId)
  }, [open, timeline, unsent, me, newId])
}

/** A first guess at the height of a row, until it is measured. */
const estimate = (characters: number): number => 52 + Math.min(1200, Math.ceil(characters / 90) * 24)
