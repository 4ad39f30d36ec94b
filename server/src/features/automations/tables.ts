import type { EventKind, RunReason, RunState, RunTrigger } from '@atrium/contract/automations'
import type { Migration } from '../../platform/db/types.ts'
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

export const automationMigrations: readonly Migration[] = [
  {
    id: 'automations/0001-automations',
    up: ({ text, int, bytes }) => [
      `create table automations (
        id ${text} primary key,
        account_id ${text} not null,
        content ${bytes} not null,
        secret ${bytes},
        status ${text} not null,
        paused_by_failures ${int} not null,
        next_run_at ${int},
        started_count ${int} not null,
        failures ${int} not null,
        last_run_id ${text},
        version ${int} not null,
        created_at ${int} not null,
        updated_at ${int} not null
      )`,
      'create index automations_by_account on automations (account_id, id)',
      'create index automations_due on automations (next_run_at) where next_run_at is not null',
      `create table automation_runs (
        id ${text} primary key,
        automation_id ${text} not null,
        account_id ${text} not null,
        occurrence ${text} not null,
        started_by ${text} not null,
        state ${text} not null,
        scheduled_for ${int} not null,
        due_at ${int} not null,
        dispatches ${int} not null,
        dispatched ${int} not null,
        started_at ${int},
        deadline_at ${int},
        ended_at ${int},
        tries ${int} not null,
        reason ${text},
        payload ${bytes},
        session_id ${text},
        message_id ${text},
        generation_id ${text},
        seen ${int} not null,
        created_at ${int} not null
      )`,
      'create unique index automation_runs_by_occurrence on automation_runs (automation_id, occurrence)',
      'create index automation_runs_by_account on automation_runs (account_id, created_at, id)',
      'create index automation_runs_by_automation on automation_runs (automation_id, created_at, id)',
      `create index automation_runs_open on automation_runs (state, due_at) where state in ('queued', 'running')`,
      'create index automation_runs_unseen on automation_runs (account_id) where seen = 0',
      'create index automation_runs_ended on automation_runs (account_id, ended_at)',
    ],
  },
  {
    id: 'automations/0002-events',
    up: ({ text, int }) => [
      `alter table automations add column event_fired_at ${int}`,
      `alter table automation_runs add column depth ${int} not null default 1`,
      'create index automation_runs_by_session on automation_runs (session_id) where session_id is not null',
      `create table automation_watches (
        automation_id ${text} not null,
        account_id ${text} not null,
        kind ${text} not null,
        place_id ${text} not null,
        next_at ${int},
        looked_until ${int},
        primary key (kind, place_id, automation_id)
      )`,
      'create index automation_watches_by_automation on automation_watches (automation_id)',
      'create index automation_watches_by_account on automation_watches (account_id)',
      'create index automation_watches_next on automation_watches (next_at) where next_at is not null',
      `create table automation_events (
        id ${text} primary key,
        kind ${text} not null,
        place_id ${text} not null,
        source_id ${text} not null,
        after ${text} not null,
        happened_at ${int} not null,
        due_at ${int} not null,
        tries ${int} not null
      )`,
      'create unique index automation_events_by_source on automation_events (kind, place_id, source_id)',
      'create index automation_events_due on automation_events (due_at)',
    ],
  },
  {
    id: 'automations/0003-waiting',
    up: () => [
      'drop index automation_runs_open',
      `create index automation_runs_open on automation_runs (state, due_at) where state in ('queued', 'running', 'waiting')`,
      `create index automation_runs_going_on on automation_runs (account_id) where state in ('running', 'waiting')`,
    ],
  },
  {
    id: 'automations/0004-costs',
    up: ({ text, int }) => [
      `alter table automation_runs add column input_tokens ${int}`,
      `alter table automation_runs add column output_tokens ${int}`,
      `alter table automation_runs add column cost ${int}`,
      `alter table automation_runs add column currency ${text}`,
    ],
  },
  {
    id: 'automations/0005-waited',
    up: ({ int }) => [
      `alter table automation_runs add column waiting_since ${int}`,
      `alter table automation_runs add column waited_ms ${int} not null default 0`,
    ],
  },
  {
    id: 'automations/0006-event-tries',
    up: ({ text, int }) => [
      `create table automation_event_tries (
        automation_id ${text} not null,
        kind ${text} not null,
        place_id ${text} not null,
        source_id ${text} not null,
        happened_at ${int} not null,
        due_at ${int} not null,
        tries ${int} not null,
        primary key (automation_id, kind, place_id, source_id)
      )`,
      'create index automation_event_tries_due on automation_event_tries (due_at)',
    ],
  },
]

export const automationSealed: readonly SealedColumn[] = [
  ...sealedColumns('automations', ['content', 'secret'], { owner: 'account_id' }),
  ...sealedColumns('automation_runs', ['payload'], { owner: 'account_id' }),
]
