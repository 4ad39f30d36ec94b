/** Guards against a write that waits for the transaction it was started in: it would wait for ever. */
import { AsyncLocalStorage } from 'node:async_hooks'

interface Outer {
  readonly ended: Promise<void>
  open: boolean
}

export interface Nesting {
  /** Runs a transaction, after the one that it was started in has ended. */
  run<R>(transaction: () => Promise<R>): Promise<R>
  /** Waits until the transaction that this was started in has ended. */
  outside(): Promise<void>
}

/**
 * Work that is merely started inside a transaction (a timer, an event) waits until that transaction has ended.
 * Work that the transaction itself awaits can never start; after `limitMs` it fails with a sentence.
 */
export const createNesting = (limitMs: number): Nesting => {
  const storage = new AsyncLocalStorage<Outer>()
  const outside = async (): Promise<void> => {
    const outer = storage.getStore()
    if (outer?.open) await within(outer.ended, limitMs)
  }
  return {
    outside,
    run: async (transaction) => {
      await outside()
      let end = (): void => undefined
      const own: Outer = {
        open: true,
        ended: new Promise((resolve) => {
          end = resolve
        }),
      }
      try {
        return await storage.run(own, transaction)
      } finally {
        own.open = false
        end()
      }
    },
  }
}

const within = (ended: Promise<void>, limitMs: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error('A write was awaited inside another write. Use the transaction that the outer one was given.'))
    }, limitMs)
    void ended.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
