/** How the tables of automations came about. What exists is never changed: a change is a migration of its own. */
import type { Migration } from '../../platform/db/types.ts'

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
