/** The run that an event is to start. */
import type { AutomationContext, StoredAutomation } from '../context.ts'
import { newRun } from '../stores/runs.ts'
import type { RunRow } from '../tables.ts'
import type { EventNews, EventOrigin } from './sources.ts'

/** A chain of automations that start each other ends after so many. */
const mostDepth = 5

type FireContext = Omit<AutomationContext, 'wake'>

/** A run that an event is to start. */
export interface Firing {
  readonly automation: StoredAutomation
  readonly row: RunRow
}

/**
 * Prepares the run of an event. `name`: of the event, which starts an automation once; `at`: when it happened, in
 * milliseconds. null: the automation does not start now, or the event came of its own output.
 */
export const prepareFiring = async (
  { clock, runs, vault }: FireContext,
  automation: StoredAutomation,
  { name, news, at }: { readonly name: string; readonly news: EventNews; readonly at: number },
): Promise<Firing | null> => {
  const now = clock.now()
  if (automation.status !== 'active' || !isWithin(automation, at)) return null
  const origin = await readOrigin(runs, news.origin)
  // Its own output starts nothing, or it would never end.
  if (origin?.automation_id === automation.id) return null
  const id = clock.id()
  const depth = (origin?.depth ?? 0) + 1
  const keyring = await vault.keyring(automation.accountId)
  const row = newRun({
    id,
    automation_id: automation.id,
    account_id: automation.accountId,
    occurrence: `event:${name}`,
    started_by: 'event',
    scheduled_for: at,
    payload: keyring.seal('automation_runs.payload', id, JSON.stringify(news.payload, null, 2)),
    created_at: now,
    depth,
  })
  return { automation, row: withinDepth(row) }
}

/** The run that something came of; null: none did. */
export const readOrigin = async (
  runs: Pick<FireContext['runs'], 'read' | 'ofSession'>,
  origin: EventOrigin | null,
): Promise<RunRow | null> => {
  if (origin === null) return null
  return 'runId' in origin ? await runs.read(origin.runId, null) : await runs.ofSession(origin.sessionId)
}

/** A run that is too far down in a chain does not begin, and says so. */
export const withinDepth = (row: RunRow): RunRow =>
  row.depth <= mostDepth
    ? row
    : { ...row, state: 'skipped', reason: 'chain_too_deep', ended_at: row.created_at, seen: 0 }

const isWithin = ({ content: { startsAt, endsAt } }: StoredAutomation, at: number): boolean =>
  (startsAt === null || at >= Date.parse(startsAt)) && (endsAt === null || at <= Date.parse(endsAt))
