/** Calls of tools with what came of them, what is asked about them, and what was allowed for good. Words are sealed. */
import type { ToolDecider, ToolOrigin } from '@atrium/contract/generation'
import type { ToolMode } from '@atrium/contract/tools'
import type { Migration } from '../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface CallRow {
  id: string
  account_id: string
  /** Empty where the answer belongs to no chat. */
  chat_id: string
  subject_id: string
  run_id: string
  /** The model's, unique in its answer. */
  call_id: string
  tool_id: string
  tool_name: string
  source: ToolOrigin
  server_id: string | null
  /** Of the definition that was called. */
  digest: string
  /** `asking`: it waits for a person. */
  state: 'asking' | 'running' | 'succeeded' | 'failed' | 'denied' | 'cancelled' | 'unknown'
  side_effect: 0 | 1
  reads_private: 0 | 1
  reads_foreign: 0 | 1
  decided_by: ToolDecider | null
  /** The process that has it in hand. */
  owner: string
  /** JSON: arguments, and the name of the server. */
  content: Uint8Array
  /** JSON: what came of it. */
  outcome: Uint8Array | null
  created_at: number
  started_at: number | null
  ended_at: number | null
}

export interface ApprovalRow {
  id: string
  account_id: string
  chat_id: string
  subject_id: string
  record_id: string
  /** Which question of its call it is: 0 whether it may run, then what it asks itself. */
  place: number
  kind: 'call' | 'question' | 'form' | 'url' | 'sign-in'
  /** Keyed, of the arguments that it is about. */
  arguments_digest: string
  state: 'pending' | 'decided' | 'ended'
  decision: 'allow_once' | 'allow_chat' | 'always_allow_tool' | 'deny' | null
  /** JSON: as the person sees it. */
  question: Uint8Array
  /** JSON: what was changed or answered. */
  answer: Uint8Array | null
  /** 1: its answer has ended meanwhile, and goes on once it is decided. */
  waits: 0 | 1
  /** 1: its answer was told to go on. */
  resumed: 0 | 1
  created_at: number
  expires_at: number
  decided_at: number | null
}

export interface StandingRow {
  id: string
  account_id: string
  tool_id: string
  /** Empty: in all chats. */
  chat_id: string
  /** Of the definition that was allowed. */
  digest: string
  created_at: number
}

/** A tool that was looked for and found, and is told of for the rest of its chat. */
export interface FoundToolRow {
  account_id: string
  chat_id: string
  tool_id: string
  found_at: number
}

/** What an account decided about a tool for itself. */
export interface ToolPolicyRow {
  account_id: string
  tool_id: string
  mode: ToolMode
  updated_at: number
}

/** Calls of a tool on a day, in sums: they stay when chats go. */
export interface ToolUsageRow {
  account_id: string
  /** Whole days since 1970, UTC. */
  day: number
  tool_id: string
  tool_name: string
  source: ToolOrigin
  server_id: string | null
  calls: number
  succeeded: number
  failed: number
  /** Of those that succeeded or failed, together. */
  duration_ms: number
}

export interface ToolsTables {
  tool_usage: ToolUsageRow
  tool_policies: ToolPolicyRow
  tool_found: FoundToolRow
  tool_calls: CallRow
  tool_approvals: ApprovalRow
  tool_standing: StandingRow
}

export const toolsMigrations: readonly Migration[] = [
  {
    id: 'tools/0001-calls',
    up: ({ text, int, bytes }) => [
      `create table tool_calls (
        id ${text} primary key,
        account_id ${text} not null references accounts (id) on delete cascade,
        chat_id ${text} not null,
        subject_id ${text} not null,
        run_id ${text} not null,
        call_id ${text} not null,
        tool_id ${text} not null,
        tool_name ${text} not null,
        source ${text} not null,
        server_id ${text},
        digest ${text} not null,
        state ${text} not null,
        side_effect ${int} not null,
        reads_private ${int} not null,
        reads_foreign ${int} not null,
        decided_by ${text},
        owner ${text} not null,
        content ${bytes} not null,
        outcome ${bytes},
        created_at ${int} not null,
        started_at ${int},
        ended_at ${int}
      )`,
      'create unique index tool_calls_call on tool_calls (account_id, subject_id, call_id)',
      'create index tool_calls_account on tool_calls (account_id, created_at, id)',
      'create index tool_calls_chat on tool_calls (chat_id, created_at)',
      `create table tool_approvals (
        id ${text} primary key,
        account_id ${text} not null references accounts (id) on delete cascade,
        chat_id ${text} not null,
        subject_id ${text} not null,
        record_id ${text} not null references tool_calls (id) on delete cascade,
        place ${int} not null,
        kind ${text} not null,
        arguments_digest ${text} not null,
        state ${text} not null,
        decision ${text},
        question ${bytes} not null,
        answer ${bytes},
        waits ${int} not null,
        resumed ${int} not null,
        created_at ${int} not null,
        expires_at ${int} not null,
        decided_at ${int}
      )`,
      'create unique index tool_approvals_place on tool_approvals (record_id, place)',
      'create index tool_approvals_account on tool_approvals (account_id, state, created_at)',
      'create index tool_approvals_subject on tool_approvals (subject_id, state)',
      'create index tool_approvals_due on tool_approvals (state, waits, expires_at)',
      `create table tool_standing (
        id ${text} primary key,
        account_id ${text} not null references accounts (id) on delete cascade,
        tool_id ${text} not null,
        chat_id ${text} not null,
        digest ${text} not null,
        created_at ${int} not null
      )`,
      'create unique index tool_standing_tool on tool_standing (account_id, tool_id, chat_id)',
      'create index tool_standing_of_tool on tool_standing (tool_id)',
    ],
  },
  {
    id: 'tools/0002-found',
    up: ({ text, int }) => [
      `create table tool_found (
        account_id ${text} not null references accounts (id) on delete cascade,
        chat_id ${text} not null,
        tool_id ${text} not null,
        found_at ${int} not null,
        primary key (account_id, chat_id, tool_id)
      )`,
    ],
  },
  {
    id: 'tools/0003-policies',
    up: ({ text, int }) => [
      `create table tool_policies (
        account_id ${text} not null references accounts (id) on delete cascade,
        tool_id ${text} not null,
        mode ${text} not null,
        updated_at ${int} not null,
        primary key (account_id, tool_id)
      )`,
    ],
  },
  {
    id: 'tools/0004-usage',
    up: ({ text, int }) => [
      `create table tool_usage (
        account_id ${text} not null references accounts (id) on delete cascade,
        day ${int} not null,
        tool_id ${text} not null,
        tool_name ${text} not null,
        source ${text} not null,
        server_id ${text},
        calls ${int} not null,
        succeeded ${int} not null,
        failed ${int} not null,
        duration_ms ${int} not null,
        primary key (account_id, day, tool_id)
      )`,
      'create index tool_usage_day on tool_usage (day)',
    ],
  },
]

export const toolsSealed: readonly SealedColumn[] = [
  ...sealedColumns('tool_calls', ['content', 'outcome'], { owner: 'account_id' }),
  ...sealedColumns('tool_approvals', ['question', 'answer'], { owner: 'account_id' }),
]
