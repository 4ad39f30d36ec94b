/** What runs with features in this process, and ends once its account may not use them any more. */
import type { FeatureName } from '@atrium/contract/access'
import type { Log } from '../../../platform/log/log.ts'
import { createPoller } from '../../../platform/poller.ts'

/** Ends what runs with a feature. */
export interface FeatureWatch {
  /** Aborted with the refusal once the account may not use it any more. */
  readonly signal: AbortSignal
  readonly end: () => void
}

export interface FeatureWatches {
  /** Until `end`, or until `signal` is aborted. */
  add(name: FeatureName, accountId: string, signal?: AbortSignal): FeatureWatch
  /** Asks at once for all of them. */
  review(): void
  close(): void
}

interface Watcher {
  readonly name: FeatureName
  readonly accountId: string
  readonly controller: AbortController
}

/** News may be lost, or come late: nobody keeps a right for longer than this. */
const everyMs = 1000

export const createFeatureWatches = ({
  allows,
  refusalOf,
  log,
}: {
  readonly allows: (name: FeatureName, accountId: string) => Promise<boolean>
  readonly refusalOf: (name: FeatureName) => Error
  readonly log: Pick<Log, 'error'>
}): FeatureWatches => {
  const watchers = new Set<Watcher>()
  const failed = (error: unknown): void => log.error('what runs with features could not be reviewed', { error })
  const poller = createPoller({
    everyMs,
    isNeeded: () => watchers.size > 0,
    failed,
    async run() {
      const errors: unknown[] = []
      const same = Map.groupBy(watchers, ({ name, accountId }) => `${name} ${accountId}`)
      await Promise.all(
        [...same.values()].map(async (those) => {
          const [{ name, accountId }] = those as [Watcher]
          try {
            if (await allows(name, accountId)) return
            for (const { controller } of those) controller.abort(refusalOf(name))
          } catch (error) {
            // Asked again at the next look.
            errors.push(error)
          }
        }),
      )
      if (errors.length > 0) failed(errors[0])
    },
  })
  return {
    add(name, accountId, signal) {
      const watcher: Watcher = { name, accountId, controller: new AbortController() }
      const own = watcher.controller.signal
      const end = (): void => {
        watchers.delete(watcher)
        signal?.removeEventListener('abort', end)
      }
      if (!signal?.aborted) {
        watchers.add(watcher)
        signal?.addEventListener('abort', end)
        poller.start()
      }
      return { signal: signal ? AbortSignal.any([signal, own]) : own, end }
    },
    review: poller.now,
    close: poller.stop,
  }
}
