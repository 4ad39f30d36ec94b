/** What is worth asking again, and the wait before it. */
import { OutboundFailure } from '../../platform/outbound/types.ts'
import { ProviderFailure } from '../types.ts'

/** Whether a fault may be gone in a moment: of the network, or of a provider that has too much to do. */
export const isPassing = (error: unknown): boolean =>
  error instanceof OutboundFailure
    ? error.kind === 'unreachable' || error.kind === 'timeout' || error.kind === 'reset'
    : error instanceof ProviderFailure && isPassingFailure(error)

const isPassingFailure = (error: ProviderFailure): boolean =>
  error.kind === 'unreachable' ||
  error.kind === 'timeout' ||
  error.kind === 'overloaded' ||
  (error.kind === 'rejected' && (error.status === 429 || (error.status ?? 0) >= 500))

/** Throws ProviderFailure `aborted` at once where the signal aborts. */
export async function waitUnlessStopped(ms: number, signal: AbortSignal): Promise<void> {
  const waiting = Promise.withResolvers<void>()
  const timer = setTimeout(waiting.resolve, ms)
  const stop = (): void => waiting.reject(new ProviderFailure('aborted', 'The request was stopped.'))
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  await waiting.promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  })
}
