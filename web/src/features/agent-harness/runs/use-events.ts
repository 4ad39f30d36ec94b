/** What happened in a run, as it comes. */
import { agentHarnessRoutes } from '@atrium/contract/agent-harness'
import { useEffect, useState } from 'react'
import { follow } from '../../../api/follow.ts'
import { refresh } from '../../../api/query.ts'
import { addEvents, emptyTimeline, type Timeline } from './timeline.ts'

interface Followed {
  readonly timeline: Timeline
  /** It broke off, and is taken up again. */
  readonly isBroken: boolean
  readonly error: unknown
}

export function useTimeline(runId: string): Followed {
  const [followed, setFollowed] = useState<Followed>({ timeline: emptyTimeline, isBroken: false, error: null })
  useEffect(() => {
    const leave = new AbortController()
    const params = { id: runId }
    follow(
      agentHarnessRoutes.runEvents,
      { params },
      {
        signal: leave.signal,
        perFrame: true,
        isLast: ({ type }) => type === 'done',
        onState: (state) => {
          if (state !== 'connecting') setFollowed((before) => ({ ...before, isBroken: state === 'waiting' }))
        },
        onEvents(fresh) {
          const events = fresh.flatMap((event) => (event.type === 'event' ? [event.data] : []))
          setFollowed(({ timeline, isBroken }) => ({ timeline: addEvents(timeline, events), isBroken, error: null }))
          // What waits, and what the run has written, is told of by no event.
          if (fresh.some((event) => event.type === 'done' || tellsMore.has(event.data.type))) {
            void refresh(agentHarnessRoutes.readRun, { params })
            void refresh(agentHarnessRoutes.runs)
          }
        },
      },
    ).catch((error: unknown) => setFollowed((before) => ({ ...before, error })))
    return () => leave.abort()
  }, [runId])
  return followed
}

const tellsMore: ReadonlySet<string> = new Set([
  'run_started',
  'permission_request',
  'permission_response',
  'user_question',
  'cancelled',
  'run_finished',
])
