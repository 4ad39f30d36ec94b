/** The call that orders a film: given up where it is stopped meanwhile, and nobody could be told afterwards. */
import type { MediaJobContext } from './context.ts'
import type { MediaJobRow } from './tables.ts'

/** How often it is looked whether another process ended the job. */
const watchMs = 1000

/**
 * Gives what `submit` gives. Its signal aborts when the job ends, or the process does. Where the provider can cancel,
 * `submit` is left to end: only its answer names what is to be cancelled.
 */
export async function submitStoppably<T>(
  context: MediaJobContext,
  row: MediaJobRow,
  cancellable: boolean,
  submit: (signals: readonly AbortSignal[]) => Promise<T>,
): Promise<T> {
  if (cancellable) return await submit([])
  const { running, store, log } = context
  const stop = new AbortController()
  const over = Promise.withResolvers<void>()
  running.set(row.id, { accountId: row.account_id, stop: () => stop.abort(), ended: over.promise })
  const look = async (): Promise<void> => {
    const now = await store.read(row.account_id, row.id)
    if (!now || now.ended_at !== null) stop.abort()
  }
  const watch = setInterval(() => {
    look().catch((error: unknown) => log.warn('A film that is ordered could not be looked after.', { error }))
  }, watchMs)
  try {
    return await submit([stop.signal])
  } finally {
    clearInterval(watch)
    running.delete(row.id)
    over.resolve()
  }
}
