/** What changed in accounts, told to their open pages, and to areas that keep something of an account in memory. */
import type { AccountEvent } from '@atrium/contract/events'
import { type Slot, createSlot } from '../slot.ts'
import type { AnyTransaction } from '../db/types.ts'
import type { EventLog } from './types.ts'

type Hear = (accountId: string, event: AccountEvent) => void

export interface AccountEvents {
  announce(accountId: string, event: AccountEvent): Promise<void>
  /** The same to many accounts, in few transactions. */
  announceEach(accountIds: readonly string[], event: AccountEvent): Promise<void>
  /** Prepares to do so within a transaction of the caller: what is told and what changed stand or fall together. */
  prepareAnnouncement(accountId: string, event: AccountEvent): Promise<Announcement>
  /** To every active account. */
  announceAll(event: AccountEvent): Promise<void>
}

export interface Announcement {
  write(trx: AnyTransaction): Promise<void>
  /** Call it once the transaction is committed. */
  tell(): Promise<void>
}

export interface AccountEventLog extends AccountEvents {
  /** `hear` is told before the pages are: what is kept in memory is forgotten before a page asks again. */
  onEvent(hear: Hear): void
  /** Filled by the area of accounts: the ids of all that are active. */
  readonly activeAccounts: Slot<() => AsyncIterable<string>>
}

export const createAccountEvents = (
  events: Pick<EventLog, 'append' | 'appender' | 'appendToEach'>,
): AccountEventLog => {
  const hearers: Hear[] = []
  const activeAccounts = createSlot<() => AsyncIterable<string>>('The ids of active accounts')
  const announce = async (accountId: string, event: AccountEvent): Promise<void> => {
    for (const hear of hearers) hear(accountId, event)
    await events.append({ id: streamIdOf(accountId), accountId }, event)
  }
  const announceEach = async (accountIds: readonly string[], event: AccountEvent): Promise<void> => {
    for (const accountId of accountIds) for (const hear of hearers) hear(accountId, event)
    await events.appendToEach(
      accountIds.map((accountId) => ({ id: streamIdOf(accountId), accountId })),
      event,
    )
  }
  return {
    announce,
    announceEach,
    async prepareAnnouncement(accountId, event) {
      const appender = await events.appender(accountId)
      return {
        write: async (trx) => void (await appender.append(trx, streamIdOf(accountId), event)),
        tell: async () => {
          for (const hear of hearers) hear(accountId, event)
          await appender.announce()
        },
      }
    },
    async announceAll(event) {
      let some: string[] = []
      for await (const accountId of activeAccounts.get()()) {
        some.push(accountId)
        if (some.length < announcedAtOnce) continue
        await announceEach(some, event)
        some = []
      }
      if (some.length > 0) await announceEach(some, event)
    },
    onEvent: (hear) => void hearers.push(hear),
    activeAccounts,
  }
}

/** So many accounts are read before they are told. */
const announcedAtOnce = 100

const streamIdOf = (accountId: string): string => `account:${accountId}`
