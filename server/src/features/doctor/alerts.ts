/**
 * Alerts: checks that were not passed when they were run by themselves. Administrators are told of each once, on their
 * open pages and by mail, and not again until it was over.
 */
import { createHash } from 'node:crypto'
import type { Alert } from '@atrium/contract/doctor'
import type { InstanceEvent } from '@atrium/contract/webhooks'
import { z } from 'zod'
import { type DiagnosticCheck, runCheck } from '../../platform/diagnostics/checks.ts'
import type { Platform } from '../../platform/platform.ts'
import { type OpenAlerts, OpenAlert, type Sight, claimUntold, isOpen, markTold, updateAlerts } from './open-alerts.ts'

export interface AlertDeps extends Pick<Platform, 'clock' | 'log'>, Pick<Platform, 'saved'> {
  /** Where this process runs: what its machine and its folder are like is told apart by that. */
  readonly host: string
  readonly dataDir: string
  /** Tells open pages of administrators that the list is another one. */
  readonly announce: () => Promise<void>
  /** Tells administrators in their inboxes what began, and takes back what ended; the same once. */
  readonly notify: (begun: readonly KeyedAlert[], endedKeys: readonly string[]) => Promise<void>
  /** Tells administrators by mail of what is new. */
  readonly sendMail: (alerts: readonly Alert[]) => Promise<void>
  /** Tells the webhooks of the instance what began or ended; the same once. */
  readonly callWebhooks: (event: InstanceEvent, alerts: readonly Alert[]) => Promise<void>
}

export interface Alerts {
  /** Runs these checks, and tells what is new. */
  look(checks: readonly DiagnosticCheck[]): Promise<void>
  /** The open ones, the oldest first. */
  list(): Promise<Alert[]>
}

export const createAlerts = ({
  saved,
  clock,
  log,
  host,
  dataDir,
  announce,
  notify,
  sendMail,
  callWebhooks,
}: AlertDeps): Alerts => {
  const stored = saved.document<OpenAlerts>('alerts', z.record(z.string(), OpenAlert))
  const place = createHash('sha256').update(`${host}\n${dataDir}`).digest('hex').slice(0, 16)
  const see = async (check: DiagnosticCheck): Promise<Sight> => ({
    key: check.ofProcess ? `${check.id}@${place}` : check.id,
    host: check.ofProcess ? host : null,
    isKnown: true,
    ...(await outcomeOf(check)),
  })

  /** What this process looked at: a process that ended may not have come to taking back what was over. */
  const looked = new Set<string>()
  const look = async (checks: readonly DiagnosticCheck[]): Promise<void> => {
    const sights = await Promise.all(checks.map(see))
    const now = clock.now()
    const first = sights.map(({ key }) => key).filter((key) => !looked.has(key))
    const updateInboxes = async (begun: readonly KeyedAlert[], endedKeys: readonly string[]): Promise<void> => {
      if (begun.length > 0 || endedKeys.length > 0) await notify(begun, endedKeys)
      for (const key of first) looked.add(key)
    }
    let before = await stored.read()
    // While all is well nothing else is written.
    if (Object.keys(before).length === 0 && sights.every(({ status }) => status === 'pass'))
      return await updateInboxes([], first)
    let mine: readonly string[] = []
    const after = await stored.change((open) => {
      before = open
      const claimed = claimUntold(updateAlerts(open, sights, now), now)
      mine = claimed.keys
      return claimed.open
    })
    const begun = toAlerts(after, mine)
    const ended = toAlerts(before).filter(({ key }) => !toAlerts(after).some((one) => one.key === key))
    const over = [...ended.map(({ key }) => key), ...first.filter((key) => !after[key])]
    await updateInboxes(begun, [...new Set(over)])
    if (begun.length === 0 && ended.length === 0) return
    await announce()
    // What it says may hold names: the log goes into bundles for people outside.
    for (const { id } of begun) log.warn('an alert began', { id })
    for (const { id } of ended) log.info('an alert ended', { id })
    await callWebhooks('alert-ended', ended.map(withoutKey))
    if (begun.length === 0) return
    await callWebhooks('alert-started', begun.map(withoutKey))
    await sendMail(begun.map(withoutKey))
    // Only now: a process that ends before has not told it, and the next look does.
    await stored.change((open) => markTold(open, mine))
  }

  return { look, list: async () => toAlerts(await stored.read()).map(withoutKey) }
}

const outcomeOf = async (
  check: DiagnosticCheck,
): Promise<Pick<Sight, 'status' | 'message'> & { isKnown?: boolean }> => {
  const outcome = await runCheck(check)
  if (outcome) return outcome
  // Where there is nothing to look at any more, nothing is wrong with it.
  return { status: 'pass', message: '', isKnown: !check.mayNotKnow }
}

/** `key`: by check and process. */
export type KeyedAlert = Alert & { readonly key: string }

const toAlerts = (open: OpenAlerts, keys: readonly string[] = Object.keys(open)): KeyedAlert[] =>
  Object.entries(open)
    .filter(([key, one]) => keys.includes(key) && isOpen(one))
    .toSorted(([, a], [, b]) => a.since - b.since)
    .map(([key, { host, status, message, since }]) => ({
      key,
      id: key.split('@')[0] ?? key,
      host,
      status,
      message,
      since: new Date(since).toISOString(),
    }))

const withoutKey = ({ key: _, ...alert }: KeyedAlert): Alert => alert
