import { chatRoutes as routes } from '@atrium/contract/chat'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, Search, X } from 'lucide-react'
import { type KeyboardEvent, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { isComposing } from '../../../lib/composing.ts'
import { useAction } from '../../../lib/actions.ts'
import { formatNumber } from '../../../lib/format.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { goToMessage, type OpenChat, useOpen } from '../open/store.ts'
import { useText } from 'virtual:words/chat-find'
import { useMarks } from './marks.ts'
import { findRanges, messageElement } from './ranges.ts'
import { closeFind, type FindPlace, openFind, useFind } from './state.ts'

/** The bar that finds words in a chat, for as long as it is open; opened by its action. */
export function FindBar({ chat, log }: { chat: OpenChat; log: () => HTMLElement | null }) {
  const open = useFind((state) => state.chatId === chat.id)
  // A second press in the field is left to the browser, which finds in the page.
  const [inside, setInside] = useState(false)
  useAction('chat.find', () => (open ? document.getElementById(fieldId)?.focus() : openFind(chat.id)), !inside)
  useEffect(() => closeFind, [chat])
  return open ? <OpenBar chat={chat} log={log} onInside={setInside} /> : null
}

function OpenBar({
  chat,
  log,
  onInside,
}: {
  chat: OpenChat
  log: () => HTMLElement | null
  onInside: (inside: boolean) => void
}) {
  const t = useText('chat-find')
  const field = useRef<HTMLInputElement>(null)
  const before = useRef(document.activeElement)
  const words = useFind((state) => state.words)
  const now = useFind((state) => state.now)
  const wanted = useDeferredValue(words.trim())
  const path = useOpen(chat, pathOf)
  const found = useQuery({
    ...queryOf(routes.find, { params: { sessionId: chat.id }, query: { q: wanted || ' ' } }),
    // What was said since belongs to it.
    queryKey: ['find', chat.id, path, wanted],
    enabled: wanted !== '',
    placeholderData: (last) => (wanted === '' ? undefined : last),
    staleTime: 60_000,
  })
  const items = wanted === '' ? undefined : found.data?.items
  const places = useMemo(
    () =>
      (items ?? []).flatMap(({ messageId, count }) => Array.from({ length: count }, (_, nth) => ({ messageId, nth }))),
    [items],
  )
  useMarks(log)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
    const last = before.current
    return () => {
      onInside(false)
      if (last instanceof HTMLElement && last.isConnected) last.focus()
    }
  }, [onInside])

  const go = useCallback(
    (place: FindPlace | undefined) => {
      useFind.setState({ now: place ?? null })
      if (!place) return
      goToMessage(chat, place.messageId, () => offsetOf(place)).catch((error: unknown) =>
        toast(wordsOf(error), { tone: 'danger' }),
      )
    },
    [chat],
  )
  // The latest place is what one most likely means.
  useEffect(() => {
    useFind.setState({ messageIds: new Set(places.map(({ messageId }) => messageId)) })
    const { now: at } = useFind.getState()
    if (!at || !places.some((place) => isSame(place, at))) go(places.at(-1))
  }, [places, go])

  const at = now ? places.findIndex((place) => isSame(place, now)) : -1
  const step = (by: 1 | -1) => {
    if (places.length > 0) go(places[(at + by + places.length) % places.length])
  }
  function onKeyDown(event: KeyboardEvent) {
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Escape') closeFind()
    else if (event.key === 'Enter' || event.key === 'F3') step(event.shiftKey ? -1 : 1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <search
      aria-label={t('label')}
      onKeyDown={onKeyDown}
      className="flex items-center gap-1 border-b border-line bg-raised px-3 py-1.5"
    >
      <Input
        ref={field}
        id={fieldId}
        type="search"
        icon={<Search />}
        aria-label={t('label')}
        placeholder={t('placeholder')}
        maxLength={200}
        value={words}
        onChange={(event) => useFind.setState({ words: event.target.value })}
        onFocus={() => onInside(true)}
        onBlur={() => onInside(false)}
        className="min-w-0 max-w-96 flex-1 [&_input]:[&::-webkit-search-cancel-button]:hidden"
      />
      <p role="status" className="min-w-20 shrink-0 px-1 text-center text-sm whitespace-nowrap text-muted tabular-nums">
        {found.isError
          ? t('failed')
          : items &&
            (places.length === 0
              ? t('none')
              : t('place', { index: formatNumber(at + 1), count: formatNumber(found.data?.total ?? 0) }))}
      </p>
      <IconButton
        label={t('previous')}
        keys="Shift+Enter"
        icon={<ChevronUp />}
        disabled={places.length === 0}
        onClick={() => step(-1)}
      />
      <IconButton
        label={t('next')}
        keys="Enter"
        icon={<ChevronDown />}
        disabled={places.length === 0}
        onClick={() => step(1)}
      />
      <IconButton label={t('close')} keys="Escape" icon={<X />} onClick={closeFind} />
    </search>
  )
}

const fieldId = 'find-in-chat'

/** Changes when something was said, or another branch is shown. */
const pathOf = ({ conversation }: ReturnType<OpenChat['store']['getState']>): string | null =>
  conversation && `${conversation.head.activeLeafId} ${conversation.live === null}`

const isSame = (one: FindPlace, other: FindPlace): boolean => one.messageId === other.messageId && one.nth === other.nth

/** How far below the top of its message a place stands, as far as it would be out of view; in px. */
function offsetOf(place: FindPlace): number {
  const message = messageElement(place.messageId)
  const ranges = message ? findRanges(message, useFind.getState().words) : []
  const range = ranges[Math.min(place.nth, ranges.length - 1)]
  if (!message || !range) return 0
  return Math.max(0, range.getBoundingClientRect().top - message.getBoundingClientRect().top - marginAbove)
}

/** So much of a message stays in view above a place in it. */
const marginAbove = 120
