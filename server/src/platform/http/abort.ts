/** Tells handlers that nobody waits for them any more: the client went away, or the server has to stop. */
import type { ServerResponse } from 'node:http'

export interface AbortRegistry {
  /** A controller that aborts when the response closes before its end, or on `abortAll`. */
  watch(response: ServerResponse): AbortController
  abortAll(): void
}

export const createAbortRegistry = (): AbortRegistry => {
  const open = new Set<AbortController>()
  return {
    watch(response) {
      const controller = new AbortController()
      open.add(controller)
      const closed = (): void => {
        open.delete(controller)
        if (!response.writableFinished) controller.abort()
      }
      if (response.closed || response.destroyed) closed()
      else response.once('close', closed)
      return controller
    },
    abortAll: () => {
      for (const controller of open) controller.abort()
    },
  }
}
