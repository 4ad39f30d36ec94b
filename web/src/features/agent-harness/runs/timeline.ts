/** From the events of a run to what is shown of it. */
import type { HarnessEvent, HarnessEventData } from '@atrium/contract/agent-harness'

export type TimelineEntry =
  | { readonly kind: 'text'; readonly id: number; readonly by: 'user' | 'agent'; readonly text: string }
  | {
      readonly kind: 'tool'
      readonly id: number
      readonly toolCallId: string
      readonly name: string
      readonly input: string
      /** null while nothing came of it. */
      readonly result: { readonly isError: boolean; readonly text: string } | null
      /** How a question for permission was answered; null where there was none, or while it waits. */
      readonly resolution: string | null
    }
  | { readonly kind: 'note'; readonly id: number; readonly type: string; readonly data: HarnessEventData }

export type ToolEntry = Extract<TimelineEntry, { kind: 'tool' }>

export interface Timeline {
  readonly entries: readonly TimelineEntry[]
  /** Where each call of a tool stands among them. */
  readonly places: ReadonlyMap<string, number>
}

export const emptyTimeline: Timeline = { entries: [], places: new Map() }

export function findCall({ entries, places }: Timeline, toolCallId: string): ToolEntry | undefined {
  const entry = entries[places.get(toolCallId) ?? -1]
  return entry?.kind === 'tool' ? entry : undefined
}

/** Goes on from what was there: pieces of one answer become one entry, and all that is said of a tool call becomes one. */
export function addEvents(before: Timeline, events: readonly HarnessEvent[]): Timeline {
  const entries = [...before.entries]
  const places = new Map(before.places)
  for (const { eventId: id, type, data } of events) {
    const last = entries.at(-1)
    if (type === 'assistant_delta') {
      if (last?.kind === 'text' && last.by === 'agent')
        entries[entries.length - 1] = { ...last, text: last.text + (data.text ?? '') }
      else entries.push({ kind: 'text', id, by: 'agent', text: data.text ?? '' })
      continue
    }
    if (type === 'user_message') {
      entries.push({ kind: 'text', id, by: 'user', text: data.content ?? '' })
      continue
    }
    if (!toolTypes.has(type) || data.toolCallId === undefined) {
      if (!silent.has(type)) entries.push({ kind: 'note', id, type, data })
      continue
    }
    const known = entries[places.get(data.toolCallId) ?? -1]
    // Some models count their calls anew with each turn: what begins after a result is another call.
    const isOver = known?.kind === 'tool' && known.result !== null && begins.has(type)
    const place = isOver ? entries.length : (places.get(data.toolCallId) ?? entries.length)
    places.set(data.toolCallId, place)
    const call =
      known?.kind === 'tool' && !isOver
        ? known
        : {
            kind: 'tool' as const,
            id,
            toolCallId: data.toolCallId,
            name: data.name ?? '',
            input: data.arguments ?? '',
            result: null,
            resolution: null,
          }
    entries[place] = {
      ...call,
      ...(type === 'permission_request' && data.name !== undefined ? { name: data.name } : {}),
      ...(type === 'permission_request' && data.arguments !== undefined ? { input: data.arguments } : {}),
      resolution: type === 'permission_response' ? (data.resolution ?? null) : call.resolution,
      result: type === 'tool_result' ? { isError: data.isError ?? false, text: data.content ?? '' } : call.result,
    }
  }
  return { entries, places }
}

const toolTypes: ReadonlySet<string> = new Set([
  'tool_call',
  'permission_request',
  'permission_response',
  'tool_result',
])
const begins: ReadonlySet<string> = new Set(['tool_call', 'permission_request'])
/** Said elsewhere on the page. */
const silent: ReadonlySet<string> = new Set(['run_started', 'subagent_update', 'task_control'])
