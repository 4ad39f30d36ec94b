/**
 * Ends a call when nothing comes: one deadline for the first piece, then one for every stretch without progress. Signs of
 * life are no progress, and neither is white space: a provider could go on with them for ever.
 */
import type { CancelSignal } from '../platform/outbound/types.ts'
import { ProviderFailure } from './types.ts'

export interface IdleTimeout {
  /** Aborted by the caller, by a deadline, or by `abort`. */
  readonly signal: CancelSignal
  /** A bound for the layers below, which know only one kind of silence. */
  readonly longestMs: number
  /**
   * Bytes came. `piece`: something of the answer was in them; `progress`: how much of substance, in characters (of words,
   * thoughts or arguments of tools).
   */
  heard(piece: boolean, progress: number): void
  /** The failure, once a deadline has passed. */
  late(): ProviderFailure | null
  abort(): void
  stop(): void
}

const defaults = { firstTokenMs: 5 * 60_000, idleMs: 2 * 60_000 }

/**
 * What an answer has to bring within `idleMs`, in characters. A model on a slow machine that writes a token each 20
 * seconds brings six; one letter a minute is an answer that somebody holds open.
 */
export const leastProgress = 4

export function startIdleTimeout(call: {
  readonly signal: AbortSignal
  readonly firstTokenMs?: number
  readonly idleMs?: number
}): IdleTimeout {
  const { signal, firstTokenMs = defaults.firstTokenMs, idleMs = defaults.idleMs } = call
  const own = createStop()
  let begun = false
  let progressed = 0
  let signs = false
  let late: ProviderFailure | null = null
  const expire = (): void => {
    late = new ProviderFailure(
      'timeout',
      `The provider ${begun ? afterwards(signs, idleMs) : 'didn’t start answering in time'}.`,
    )
    own.abort()
  }
  const abort = (): void => own.abort()
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  let timer = setTimeout(expire, firstTokenMs)
  return {
    signal: own,
    longestMs: Math.max(firstTokenMs, idleMs) + 1000,
    heard(piece, progress) {
      if (begun) {
        progressed += progress
        signs = true
        if (progressed < leastProgress) return
        progressed = 0
        signs = false
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

/** `signs`: something came, but no progress was in it. */
function afterwards(signs: boolean, idleMs: number): string {
  if (!signs) return 'fell silent in the middle of the answer'
  const seconds = Math.round(idleMs / 1000)
  return `kept the connection open, but brought next to nothing for ${seconds} seconds, so the answer was ended`
}

/** An AbortSignal with its controller costs more than all the rest of this file, and there is one for every call. */
function createStop(): CancelSignal & { abort(): void } {
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
