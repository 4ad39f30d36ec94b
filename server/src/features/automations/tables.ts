import type { EventKind, RunReason, RunState, RunTrigger } from '@atrium/contract/automations'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface AutomationRow {
  id: string
  account_id: string
  /** What its owner wrote, sealed. */
  content: Uint8Array
  /** Of its webhook, sealed; null while that is closed. */
  secret: Uint8Array | null
  status: 'active' | 'paused'
  paused_by_failures: 0 | 1
  next_run_at: number | null
  /** How often its triggers started it. */
  started_count: number
  /** How many runs failed in a row. */
  failures: number
  last_run_id: string | null
  /** When an event started it last. */
  event_fired_at: number | null
  /** Grows with each change of what its owner wrote, and with each time that its triggers start it. */
  version: number
  created_at: number
  updated_at: number
}

export interface RunRow {
  id: string
  automation_id: string
  account_id: string
  /** What started it: there is one run for each occurrence of an automation. Ids and times only. */
  occurrence: string
  started_by: RunTrigger
  state: RunState
  scheduled_for: number
  /** When it may begin, or be tried again. */
  due_at: number
  /** Which job it waits for: grows each time that it is to get another one. */
  dispatches: number
  /** 1: a job was made for it, and has not let it go. */
  dispatched: 0 | 1
  started_at: number | null
  /** When it has taken too long. */
  deadline_at: number | null
  ended_at: number | null
  tries: number
  reason: RunReason | null
  /** What its trigger brought along: JSON, sealed. */
  payload: Uint8Array | null
  session_id: string | null
  message_id: string | null
  generation_id: string | null
  seen: 0 | 1
  created_at: number
  /** Of all tries; the cost in billionths of its currency. null: nobody told. */
  input_tokens: number | null
  output_tokens: number | null
  cost: number | null
  currency: string | null
  /** Since when it waits for its owner, and how long it did so before, in this try. */
  waiting_since: number | null
  waited_ms: number
  /** How many automations had started each other by then, this one included; 1 for all that no other one started. */
  depth: number
}

/** What an automation waits for: kinds and ids. */
export interface WatchRow {
  automation_id: string
  account_id: string
  kind: EventKind
  place_id: string
  /** Of calendars: when they are looked at next, and until when it is known what began. */
  next_at: number | null
  looked_until: number | null
}

/** Something happened that automations wait for. */
export interface EventRow {
  id: string
  kind: EventKind
  place_id: string
  source_id: string
  /** It was handed to all automations up to this one. */
  after: string
  happened_at: number
  due_at: number
  tries: number
}

/** An event that could not be handed to one automation, and is tried again for that one alone. */
export interface EventTryRow
  extends Pick<EventRow, 'kind' | 'place_id' | 'source_id' | 'happened_at' | 'due_at' | 'tries'> {
  automation_id: string
}

export interface AutomationTables {
  automations: AutomationRow
  automation_runs: RunRow
  automation_watches: WatchRow
  automation_events: EventRow
  automation_event_tries: EventTryRow
}

export const automationSealed: readonly SealedColumn[] = [
  ...sealedColumns('automations', ['content', 'secret'], { owner: 'account_id' }),
  ...sealedColumns('automation_runs', ['payload'], { owner: 'account_id' }),
]
