import { DestinationFailure } from '../../platform/backups/destinations/destination.ts'

/**
 * Work at a destination for which somebody waits: gives what comes of it within some milliseconds, and calls off what is
 * late. Throws DestinationFailure `unreachable` then.
 */
export const inTime = async <T>(
  waitMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const late = AbortSignal.timeout(waitMs)
  const either = signal ? AbortSignal.any([signal, late]) : late
  const over = Promise.withResolvers<never>()
  const end = (): void =>
    over.reject(
      signal?.aborted ? (signal.reason as Error) : new DestinationFailure('unreachable', 'It didn’t answer in time.'),
    )
  either.addEventListener('abort', end)
  try {
    return await Promise.race([work(either), over.promise])
  } finally {
    either.removeEventListener('abort', end)
  }
}
