/** Models of the local runtime, cached in memory and refreshed in the background: no page waits for it. */
import type { RuntimeModel } from '@atrium/contract/local-runtime'
import type { Platform } from '../../../platform/platform.ts'
import type { LocalRuntime } from '../../../providers/local-runtime.ts'
import { ProviderFailure } from '../../../providers/types.ts'

export interface LocalModelsState {
  readonly state: 'disabled' | 'not-checked' | 'ready' | 'unreachable'
  readonly detail: string | null
  readonly baseUrl: string
  /** The last ones known, also while the runtime cannot be reached. */
  readonly models: readonly RuntimeModel[]
  readonly checkedAt: number
}

export interface LocalModelsDeps extends Pick<Platform, 'clock' | 'log'> {
  readonly runtime: LocalRuntime
  readonly settings: () => Promise<{ readonly enabled: boolean; readonly baseUrl: string }>
  /** Called when another list or state was found. */
  readonly onChange: () => void
}

export interface LocalModels {
  /** The cached state; refreshes in the background when it is old, and waits for the very first reading only shortly. */
  current(): Promise<LocalModelsState>
  /** Reads now, and returns the result. */
  refresh(): Promise<LocalModelsState>
}

const freshMs = 30_000
const firstReadMs = 1000

export const createLocalModels = ({ runtime, clock, settings, log, onChange }: LocalModelsDeps): LocalModels => {
  let known: LocalModelsState | null = null
  let running: Promise<LocalModelsState> | null = null
  let queued: Promise<LocalModelsState> | null = null

  const readModels = async (): Promise<LocalModelsState> => {
    const { enabled, baseUrl } = await settings()
    const before = known?.baseUrl === baseUrl ? known : null
    const found = enabled ? await requestModels(baseUrl, before) : emptyState('disabled', baseUrl)
    if (before?.state !== found.state || JSON.stringify(before.models) !== JSON.stringify(found.models)) {
      known = found
      onChange()
    }
    known = found
    return found
  }

  const requestModels = async (baseUrl: string, before: LocalModelsState | null): Promise<LocalModelsState> => {
    try {
      const models = await runtime.models(baseUrl)
      return { state: 'ready', detail: null, baseUrl, models, checkedAt: clock.now() }
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      const models = before?.models ?? []
      return { state: 'unreachable', detail: error.message, baseUrl, models, checkedAt: clock.now() }
    }
  }

  const emptyState = (state: 'disabled' | 'not-checked', baseUrl: string): LocalModelsState => ({
    state,
    detail: null,
    baseUrl,
    models: [],
    checkedAt: clock.now(),
  })

  const start = (): Promise<LocalModelsState> => {
    queued = null
    running = readModels().finally(() => {
      running = null
    })
    return running
  }

  /** A reading that began before the call does not count as its answer: the next one is shared instead. */
  const refresh = (): Promise<LocalModelsState> => {
    if (running === null) return start()
    queued ??= running.then(start, start)
    return queued
  }

  return {
    refresh,
    async current() {
      const { enabled, baseUrl } = await settings()
      if (!enabled) return emptyState('disabled', baseUrl)
      const same = known?.baseUrl === baseUrl && known.state !== 'disabled' ? known : null
      if (same && clock.now() - same.checkedAt < freshMs) return same
      const fresh = running ?? start()
      if (same) {
        fresh.catch((error: unknown) => log.error('looking at the local runtime failed', { error }))
        return same
      }
      return await Promise.race([fresh, pause(firstReadMs).then(() => emptyState('not-checked', baseUrl))])
    },
  }
}

const pause = (ms: number): Promise<void> => new Promise((go) => setTimeout(go, ms).unref())
