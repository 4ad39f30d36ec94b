/** Removes expired grants and notifies the accounts concerned. Decisions go by the time of expiry, not by this sweep. */
import type { SupportAccessStore } from './support-access/store.ts'
import { grantAuditEntry } from './audit-entry.ts'
import type { AccessStore } from './store.ts'
import type { ReaderNotifier } from './notify-readers.ts'
import type { ShareNotices } from './share-notices.ts'
import type { AccessDeps } from './context.ts'

export interface GrantExpiry {
  start(): Promise<void>
  /** Something ends at this time. */
  schedule(time: number | null): void
  /** Ends what is over by now. */
  sweep(): Promise<void>
  close(): void
}

/** Another process may have added a grant that expires, so the next expiry is read again at this interval. */
const longestWaitMs = 60_000

export const createGrantExpiry = ({
  clock,
  audit,
  interrupt,
  announce,
  log,
  store,
  supportAccess,
  notifier,
  shareNotices,
}: Pick<AccessDeps, 'clock' | 'audit' | 'interrupt' | 'announce' | 'log'> & {
  store: AccessStore
  supportAccess: Pick<SupportAccessStore, 'endedBetween' | 'nextEnd'>
  notifier: ReaderNotifier
  shareNotices: ShareNotices
}): GrantExpiry => {
  let timer: NodeJS.Timeout | undefined
  let due = Number.POSITIVE_INFINITY
  let sweptUntil = clock.now()
  let closed = false

  const arm = (time: number): void => {
    if (closed) return
    clearTimeout(timer)
    due = time
    timer = setTimeout(run, Math.min(longestWaitMs, Math.max(20, time - clock.now()))).unref()
  }
  const sweep = async (): Promise<void> => {
    const now = clock.now()
    const withdrawal = await shareNotices.publisher()
    const ended = await store.endExpired(now, async (trx, row) => {
      await audit.recordIn(trx, {
        actor: { kind: 'system', accountId: null },
        ...grantAuditEntry('grant.delete', row, { reason: 'expired' }),
      })
      await shareNotices.withdraw(withdrawal, trx, [row])
    })
    await withdrawal.tell()
    await notifier.notifyGrantees(ended)
    const over = await supportAccess.endedBetween(sweptUntil, now)
    sweptUntil = now
    if (over.length > 0) await interrupt(over.map(({ admin_id }) => admin_id))
    for (const id of new Set(over.flatMap(({ admin_id, account_id }) => [admin_id, account_id])))
      await announce(id, { type: 'support-access-changed', data: {} })
  }
  /** From the last sweep on: what ended since is due. What was scheduled meanwhile may not be in the answers yet. */
  const armAnew = async (): Promise<void> => {
    const ends = await Promise.all([store.nextEnd(sweptUntil), supportAccess.nextEnd(sweptUntil)])
    arm(Math.min(due, ...ends.map((end) => end ?? clock.now() + longestWaitMs)))
  }
  const run = (): void => {
    due = Number.POSITIVE_INFINITY
    sweep()
      .then(armAnew)
      .catch((error: unknown) => {
        // An expired grant does not count, whether its notification was sent or not; it is tried again.
        log.warn('The end of rights could not be told.', { error })
        arm(Math.min(due, clock.now() + longestWaitMs))
      })
  }

  return {
    async start() {
      await sweep()
      await armAnew()
    },
    schedule(time) {
      // Also where something is overdue: timers stand still while a machine sleeps.
      if (time !== null) arm(Math.min(time, due))
    },
    sweep,
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
