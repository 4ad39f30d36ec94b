/** The events of a run as they come. */
import { agentHarnessRoutes, type HarnessEvent } from '@atrium/contract/agent-harness'
import { useEffect, useState } from 'react'
import { follow } from '../../../api/follow.ts'
import { refresh } from '../../../api/query.ts'

interface Followed {
  readonly events: readonly HarnessEvent[]
  readonly error: unknown
}

export function useRunEvents(runId: string): Followed {
  const [followed, setFollowed] = useState<Followed>({ events: [], error: null })
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
        onEvents(fresh) {
          const events = fresh.flatMap((event) => (event.type === 'event' ? [event.data] : []))
          setFollowed((before) => ({ events: [...before.events, ...events], error: null }))
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
