/** Revocations of sessions and tokens, published to every process and there to caches and open streams. */
import type { Platform } from '../../../platform/platform.ts'
import { createSessionWatch, type SessionWatch } from './session-watch.ts'

export interface Revocations extends SessionWatch {
  /** Revocation counter: a row that was read before it grew is not cached. */
  readonly count: number
  /** Calls `forget` with the account whose status, sessions or tokens changed; null: anybody's may have. */
  onAccountChanged(forget: (accountId: string | null) => void): void
  /** Makes it known everywhere that an account's status changed and that these sessions and tokens are over. */
  publish(accountId: string, ids: readonly string[]): Promise<void>
  /** Has every open stream authenticate again, in every process: what holds for all sessions has changed. */
  publishAll(): Promise<void>
}

const channel = 'sessions-ended'
const idsPerMessage = 100
/** In place of an account's id. */
const everybody = '*'

export const createRevocations = ({ database, clock }: Pick<Platform, 'clock' | 'database'>): Revocations => {
  const watch = createSessionWatch(clock)
  const forgetters: ((accountId: string | null) => void)[] = []
  let count = 0

  const forget = (accountId: string | null): void => {
    count++
    for (const each of forgetters) each(accountId)
  }
  const hear = (accountId: string, ids: readonly string[]): void => {
    forget(accountId)
    for (const id of ids) watch.end(id)
  }
  /** Empties caches, and has streams show their token again. */
  const hearAll = (): void => {
    forget(null)
    watch.endAll()
  }
  const stopListening = database.listen(
    channel,
    (payload) => {
      const [accountId = '', ...ids] = payload.split(' ')
      if (accountId === everybody) hearAll()
      else hear(accountId, ids)
    },
    // Revocations may have been missed.
    () => hearAll(),
  )

  return {
    ...watch,
    get count() {
      return count
    },
    onAccountChanged: (each) => void forgetters.push(each),
    async publish(accountId, ids) {
      hear(accountId, ids)
      for (let from = 0; from === 0 || from < ids.length; from += idsPerMessage) {
        await database.notify(channel, [accountId, ...ids.slice(from, from + idsPerMessage)].join(' '))
      }
    },
    async publishAll() {
      hearAll()
      await database.notify(channel, everybody)
    },
    close() {
      stopListening()
      watch.close()
    },
  }
}
