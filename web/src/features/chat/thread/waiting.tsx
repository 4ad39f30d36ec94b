import { useEffect, useState } from 'react'
import { Spinner } from '../../../ui/spinner.tsx'
import type { LiveAnswer } from '../open/conversation.ts'
import { useText } from 'virtual:words/chat'

/** What the answer waits for: words from the first moment, the time after ten seconds. */
export function Waiting({
  since,
  quiet,
  search,
  stopping,
}: {
  since: number
  quiet: boolean
  /** What is looked for first. */
  search: LiveAnswer['search']
  stopping: boolean
}) {
  const t = useText('chat')
  const seconds = useSeconds(since, !quiet)
  if (stopping) return <p className="mt-2 text-sm text-muted">{t('answer.stopped')}</p>
  if (quiet) {
    return (
      <span aria-hidden className="mt-2 flex gap-1">
        <span className="size-1.5 animate-pulse rounded-full bg-accent" />
      </span>
    )
  }
  return (
    <p className="flex items-center gap-2 text-muted">
      <Spinner size={14} />
      {search
        ? t(`answer.${search.status}.${search.where}`)
        : seconds < 10
          ? t('answer.waiting')
          : t('answer.waitingLong', { count: seconds })}
    </p>
  )
}

/** Whole seconds since a time, counting while `on`. */
export function useSeconds(since: number, on: boolean): number {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    if (!on) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [on])
  return Math.max(0, Math.floor((now - since) / 1000))
}

/** Whole seconds until a time, counting down; 0 without one, or once it is over. */
export function useSecondsUntil(time: string | undefined): number {
  const end = time === undefined ? 0 : Date.parse(time)
  const [now, setNow] = useState(Date.now())
  const isOver = now >= end
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isOver])
  return isOver ? 0 : Math.ceil((end - now) / 1000)
}
