/** What the calls of an answer come to, for the one line that stands for all of them. */
import type { ToolCall } from '@atrium/contract/generation'
import { durationOf, stateOf } from './call-state.ts'

export interface ActivitySummary {
  /** The call to tell of now: the one that waits for a person, or else the latest that runs. */
  readonly now: { readonly call: ToolCall; readonly state: 'awaiting' | 'running' } | null
  /** What was done, by tool, in the order in which each was first called. */
  readonly done: readonly { readonly call: ToolCall; readonly count: number }[]
  /** Steps of whoever runs tools of its own, whose names say nothing about how often they come. */
  readonly steps: number
  readonly failed: number
  readonly denied: number
  /** From the first to the last of them, in milliseconds; null where nobody knows. */
  readonly tookMs: number | null
}

/** `open`: the answer goes on, or waits. */
export function summariseCalls(calls: readonly ToolCall[], open: boolean): ActivitySummary {
  const states = calls.map((call) => ({ call, state: stateOf(call, open) }))
  const waiting = states.find(({ state }) => state === 'awaiting')
  const running = states.findLast(({ state }) => state === 'running')
  const current = waiting ?? running
  const counts = new Map<string, { call: ToolCall; count: number }>()
  for (const { call, state } of states) {
    if (!call.source || state !== 'succeeded') continue
    const key = `${call.serverId ?? ''}/${call.name}`
    const known = counts.get(key)
    counts.set(key, { call: known?.call ?? call, count: (known?.count ?? 0) + 1 })
  }
  const countOf = (wanted: string) => states.filter(({ state }) => state === wanted).length
  return {
    now: current ? { call: current.call, state: current === waiting ? 'awaiting' : 'running' } : null,
    done: [...counts.values()],
    steps: states.filter(({ call, state }) => !call.source && state !== 'awaiting' && state !== 'running').length,
    failed: countOf('failed'),
    denied: countOf('denied'),
    tookMs: spanOf(calls),
  }
}

/** Calls of a round run side by side, so their times do not add up. */
function spanOf(calls: readonly ToolCall[]): number | null {
  const rounds = Map.groupBy(calls, ({ round }) => round ?? 0)
  const spans = [...rounds.values()].map((ofRound) => Math.max(...ofRound.map((call) => durationOf(call) ?? -1)))
  const known = spans.filter((span) => span >= 0)
  return known.length === 0 ? null : known.reduce((sum, span) => sum + span, 0)
}
