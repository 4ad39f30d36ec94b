import { useEffect, useRef } from 'react'

/** Follows the stream of a visit: tells each change of what it shows, and once that it is over. */
export type FollowVisit = (told: {
  readonly signal: AbortSignal
  readonly onEvents: (events: readonly { readonly type: 'changed' | 'ended' }[]) => void
}) => Promise<unknown>

/** `isGone`: the server refused to show it. */
export function useVisitEnd({
  visit,
  followVisit,
  onChanged,
  onOver,
  isGone,
}: {
  visit: string
  followVisit: FollowVisit
  onChanged: () => void
  onOver: () => void
  isGone: boolean
}) {
  const told = useRef({ followVisit, onChanged, onOver })
  told.current = { followVisit, onChanged, onOver }
  useEffect(() => {
    if (isGone) told.current.onOver()
  }, [isGone])
  useEffect(() => {
    const abort = new AbortController()
    const end = () => abort.signal.aborted || told.current.onOver()
    told.current
      .followVisit({
        signal: abort.signal,
        onEvents: (events) => {
          if (events.some(({ type }) => type === 'changed')) told.current.onChanged()
        },
      })
      .then(end, end)
    return () => abort.abort()
  }, [visit])
}
