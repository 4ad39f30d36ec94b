/** The calls that this process has in hand, so that they end when the right to them does. */

/** The right to the tool was taken away while it ran. */
class RightLost extends Error {}
export const isRightLost = (error: unknown): boolean => error instanceof RightLost

/** Somebody else has the call in hand, or it has ended meanwhile. */
export class CallTaken extends Error {}

interface RunningCall {
  readonly accountId: string
  readonly toolId: string
  readonly controller: AbortController
}

export interface RunningCalls {
  /** Gives the signal that ends it, and the function to call once it has ended. */
  add(
    recordId: string,
    call: Omit<RunningCall, 'controller'>,
  ): { readonly signal: AbortSignal; readonly end: () => void }
  /** Accounts that have calls here. */
  accountIds(): readonly string[]
  /** Ends the calls of an account whose tools it may not use any more. */
  keepOnly(accountId: string, toolIds: ReadonlySet<string>): void
}

/** `begun`: called with each of them. */
export const createRunningCalls = (begun: () => void): RunningCalls => {
  const running = new Map<string, RunningCall>()
  return {
    add(recordId, call) {
      const controller = new AbortController()
      running.set(recordId, { ...call, controller })
      begun()
      return { signal: controller.signal, end: () => void running.delete(recordId) }
    },
    accountIds: () => [...new Set([...running.values()].map(({ accountId }) => accountId))],
    keepOnly(accountId, toolIds) {
      for (const call of running.values())
        if (call.accountId === accountId && !toolIds.has(call.toolId)) call.controller.abort(new RightLost())
    },
  }
}
