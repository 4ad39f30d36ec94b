/** What the calls are that a run asks about, from its events: a run tells no more than their ids. */
import { agentHarnessRoutes } from '@atrium/contract/agent-harness'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { call } from '../../../api/client.ts'
import { keyOf } from '../../../api/query.ts'
import { addEvents, emptyTimeline, findCall, type Timeline, type ToolEntry } from './timeline.ts'

interface Read {
  readonly after: number
  readonly timeline: Timeline
}

const nothingRead: Read = { after: 0, timeline: emptyTimeline }
const atATime = 2000

interface AskedCalls {
  /** undefined: not known yet, or the events do not tell of it. */
  find(toolCallId: string): ToolEntry | undefined
  readonly isPending: boolean
}

/** The calls of a run that wait for permission. A question that comes later is looked for from where reading ended. */
export function useAskedCalls(runId: string, waiting: readonly string[]): AskedCalls {
  const read = useRef(nothingRead)
  const { data, isPending, isPlaceholderData } = useQuery({
    queryKey: [...keyOf(agentHarnessRoutes.runEvents, { params: { id: runId } }), 'asked', ...waiting],
    queryFn: async ({ signal }) => {
      // An earlier call may have had the same id.
      const isKnown = (timeline: Timeline) => waiting.every((id) => findCall(timeline, id)?.result === null)
      read.current = await readOn(runId, read.current, isKnown, signal)
      return read.current.timeline
    },
    enabled: waiting.length > 0,
    placeholderData: (before) => before,
    gcTime: 0,
  })
  return { find: (id) => data && findCall(data, id), isPending: isPending || isPlaceholderData }
}

/** A call whose question was answered, with how; undefined where the events tell of no answer. */
export async function readAnswered(runId: string, toolCallId: string): Promise<ToolEntry | undefined> {
  const isAnswered = (timeline: Timeline) => (findCall(timeline, toolCallId)?.resolution ?? null) !== null
  const { timeline } = await readOn(runId, nothingRead, isAnswered)
  return findCall(timeline, toolCallId)
}

/** Reads until that is enough, or there is nothing more. */
async function readOn(
  runId: string,
  before: Read,
  isEnough: (timeline: Timeline) => boolean,
  signal?: AbortSignal,
): Promise<Read> {
  let { after, timeline } = before
  while (!isEnough(timeline)) {
    const query = { after, limit: atATime }
    const options = signal ? { signal } : {}
    const { items, nextCursor } = await call(agentHarnessRoutes.runEvents, { params: { id: runId }, query }, options)
    timeline = addEvents(timeline, items)
    after = items.at(-1)?.eventId ?? after
    if (nextCursor === null) break
  }
  return { after, timeline }
}
