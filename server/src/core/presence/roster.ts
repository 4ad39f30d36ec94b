/**
 * Which accounts are active, over all processes: each process tells the others who is active on the pages connected to it,
 * when that changes and every 10 seconds. Nothing is stored; the accounts of a process that was killed expire.
 */
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/types.ts'
import type { Log } from '../../platform/log/log.ts'
import { z } from 'zod'

const channel = 'presence'
const everyMs = 10_000
/** An account that another process has not reported for so long expires. With the interval of `look`, below 30 seconds. */
const silentMs = 24_000
/** Ids that fit into one message between processes. */
const perMessage = 150

const Message = z.object({
  process: z.string(),
  here: z.array(z.string()).optional(),
  left: z.array(z.string()).optional(),
  /** The process ends. */
  ends: z.literal(true).optional(),
  /** They changed how they are shown. */
  set: z.array(z.string()).optional(),
})
type Message = z.infer<typeof Message>

export interface RosterVisit {
  say(isHere: boolean): void
  leave(): void
}

export interface Roster {
  /** A page of an account is connected to this process. */
  visit(accountId: string): RosterVisit
  isHere(accountId: string): boolean
  /** Tells all processes that somebody changed how they are shown. */
  announceSet(accountId: string): Promise<void>
  /** Call it every few seconds. */
  look(): void
  stop(): Promise<void>
}

export interface RosterDeps {
  readonly database: Pick<Database, 'listen' | 'notify'>
  readonly clock: Clock
  readonly log: Log
  readonly processId: string
  /** Somebody came or went; `wasSet`: they changed how they are shown, here or in another process. */
  readonly changed: (accountId: string, wasSet: boolean) => void
}

export const createRoster = ({ clock, database, log, processId, changed }: RosterDeps): Roster => {
  /** The pages of this process, by account, each with whether somebody is in front of it. */
  const visits = new Map<string, Set<{ isHere: boolean }>>()
  /** When others last said that an account is there: by account and process. */
  const elsewhere = new Map<string, Map<string, number>>()
  let toldAt = 0

  const isHereLocally = (accountId: string): boolean => {
    for (const { isHere } of visits.get(accountId) ?? []) if (isHere) return true
    return false
  }
  const isHere = (accountId: string): boolean => isHereLocally(accountId) || elsewhere.has(accountId)
  /** One after the other, so that none overtakes another. */
  let told = Promise.resolve()
  const tell = (message: Omit<Message, 'process'>): Promise<void> => {
    told = told
      .then(() => database.notify(channel, JSON.stringify({ process: processId, ...message })))
      .catch((error: unknown) => log.debug('Other processes could not be told who is there.', { error }))
    return told
  }
  const forget = (accountId: string, process: string): void => {
    const processes = elsewhere.get(accountId)
    if (!processes?.delete(process) || processes.size > 0) return
    elsewhere.delete(accountId)
    if (!isHere(accountId)) changed(accountId, false)
  }
  const hear = ({ process, here = [], left = [], ends, set = [] }: Message): void => {
    if (process !== processId) {
      for (const accountId of here) {
        const wasHere = isHere(accountId)
        const processes = elsewhere.get(accountId) ?? new Map<string, number>()
        elsewhere.set(accountId, processes.set(process, clock.now()))
        if (!wasHere) changed(accountId, false)
      }
      for (const accountId of left) forget(accountId, process)
      if (ends) for (const accountId of [...elsewhere.keys()]) forget(accountId, process)
    }
    for (const accountId of set) changed(accountId, true)
  }
  const unlisten = database.listen(channel, (text) => {
    const message = Message.safeParse(JSON.parse(text))
    if (message.success) hear(message.data)
  })
  /** After one page of an account came, went, or said something else. */
  const compare = (accountId: string, { there, before }: { there: boolean; before: boolean }): void => {
    const now = isHereLocally(accountId)
    if (now !== there) void tell(now ? { here: [accountId] } : { left: [accountId] })
    if (isHere(accountId) !== before) changed(accountId, false)
  }

  return {
    visit(accountId) {
      const one = { isHere: false }
      visits.set(accountId, (visits.get(accountId) ?? new Set()).add(one))
      const change = (work: () => void): void => {
        const state = { there: isHereLocally(accountId), before: isHere(accountId) }
        work()
        compare(accountId, state)
      }
      return {
        say: (said) => change(() => (one.isHere = said)),
        leave: () =>
          change(() => {
            const all = visits.get(accountId)
            all?.delete(one)
            if (all?.size === 0) visits.delete(accountId)
          }),
      }
    },
    isHere,
    announceSet: (accountId) => tell({ set: [accountId] }),
    look() {
      const now = clock.now()
      for (const [accountId, processes] of elsewhere)
        for (const [process, heardAt] of processes) {
          // A clock that was put back makes nobody stay for longer.
          if (heardAt > now) processes.set(process, now)
          else if (now - heardAt > silentMs) forget(accountId, process)
        }
      if (now - toldAt < everyMs && now >= toldAt) return
      toldAt = now
      const ids = [...visits.keys()].filter(isHereLocally)
      for (let at = 0; at < ids.length; at += perMessage) void tell({ here: ids.slice(at, at + perMessage) })
    },
    async stop() {
      unlisten()
      await tell({ ends: true })
    },
  }
}
