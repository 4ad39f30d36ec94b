/** Ends a call when nothing comes: one deadline for the first piece, then one for every silence. */
import type { Stop } from '../platform/outbound/types.ts'
import { ProviderFailure } from './types.ts'

export interface Silence {
  /** Aborted by the caller, by a deadline, or by `abort`. */
  readonly signal: Stop
  /** A bound for the layers below, which know only one kind of silence. */
  readonly longestMs: number
  /** Bytes came; `piece`: and something of the answer was in them. */
  heard(piece: boolean): void
  /** The failure, once a deadline has passed. */
  late(): ProviderFailure | null
  abort(): void
  stop(): void
}

const defaults = { firstTokenMs: 5 * 60_000, idleMs: 2 * 60_000 }

export function watchSilence(call: {
  readonly signal: AbortSignal
  readonly firstTokenMs?: number
  readonly idleMs?: number
}): Silence {
  const { signal, firstTokenMs = defaults.firstTokenMs, idleMs = defaults.idleMs } = call
  const own = createStop()
  let begun = false
  let late: ProviderFailure | null = null
  const expire = (): void => {
    const words = begun ? 'fell silent in the middle of the answer' : 'did not begin to answer in time'
    late = new ProviderFailure('timeout', `The provider ${words}.`)
    own.abort()
  }
  const abort = (): void => own.abort()
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  let timer = setTimeout(expire, firstTokenMs)
  return {
    signal: own,
    longestMs: Math.max(firstTokenMs, idleMs) + 1000,
    heard(piece) {
      if (begun) {
        timer.refresh()
      } else if (piece) {
        begun = true
        clearTimeout(timer)
        timer = setTimeout(expire, idleMs)
      }
    },
    late: () => late,
    abort,
    stop() {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    },
  }
}

/** An AbortSignal with its controller costs more than all the rest of this file, and there is one for every call. */
function createStop(): Stop & { abort(): void } {
  let listeners: (() => void)[] = []
  const stop = {
    aborted: false,
    addEventListener: (_type: 'abort', listener: () => void) => void listeners.push(listener),
    removeEventListener: (_type: 'abort', listener: () => void) => {
      listeners = listeners.filter((known) => known !== listener)
    },
    abort() {
      if (stop.aborted) return
      stop.aborted = true
      const told = listeners
      listeners = []
      for (const listener of told) listener()
    },
  }
  return stop
}
