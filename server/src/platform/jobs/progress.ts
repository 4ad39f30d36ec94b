/** How far a run is: the newest word counts, and is written at most every 250 ms. */
import type { Log } from '../log/log.ts'
import type { Vault } from '../vault/types.ts'
import type { ChangeJob } from './announce.ts'
import type { JobProgress } from './serialise.ts'
import type { JobStore } from './store.ts'
import type { JobRow } from './tables.ts'
import type { JobContext } from './types.ts'

interface Parts {
  readonly store: JobStore
  readonly change: ChangeJob
  readonly vault: Vault
  readonly log: Log
  readonly row: JobRow
  /** Called when the claim turns out to be invalid. */
  readonly lost: () => void
}

const pauseMs = 250

export const createProgress = ({ store, change, vault, log, row, lost }: Parts) => {
  let news: JobProgress | null = null
  let writing: Promise<void> = Promise.resolve()
  let pause: NodeJS.Timeout | null = null
  let busy = false
  let ended = false

  const seal = async (progress: JobProgress): Promise<Uint8Array> =>
    (await vault.keyring(row.account_id)).seal('jobs.progress', row.id, JSON.stringify(progress))

  const write = async (): Promise<void> => {
    if (!news) return
    const current = news
    news = null
    try {
      const sealed = await seal(current)
      const written = await change(row.account_id, 'followers', (trx) => store.saveProgress(trx, row, sealed))
      if (!written) lost()
    } catch (error) {
      // The next word, or the ending, is written in its place.
      log.warn('The progress of a job could not be written.', { jobId: row.id, error })
    }
  }
  const begin = (): void => {
    busy = true
    writing = write().then(() => {
      pause = setTimeout(() => {
        busy = false
        if (news && !ended) begin()
      }, pauseMs)
    })
  }

  const report: JobContext['progress'] = (current, total, message) => {
    if (ended) return
    news = { current, total, message: message ?? null }
    if (!busy) begin()
  }

  return {
    report,
    /** Writes no more; gives the sealed last word when it is not written yet. */
    end: async (): Promise<Uint8Array | null> => {
      ended = true
      await writing
      if (pause) clearTimeout(pause)
      return news ? await seal(news) : null
    },
  }
}
