/**
 * The local runtime: where it is, what it holds, downloads with progress, and embeddings. Whatever changes the shared
 * runtime is for administrators. It refuses to reach any other address than the configured one.
 */
import { localRuntime as routes } from '@atrium/contract/local-runtime'
import type { Output } from '@atrium/contract/route'
import type { InstanceSettings } from '@atrium/contract/settings-preferences'
import type { Connections } from '../../core/connections/index.ts'
import { type Area, defineArea } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { JobHandler, Jobs } from '../../platform/jobs/types.ts'
import type { Log } from '../../platform/log/log.ts'
import type { LocalRuntime } from '../../providers/local-runtime.ts'
import { ProviderFailure } from '../../providers/types.ts'
import { pullHandler, pullKind } from './pull.ts'
import { plainBaseUrl, refusalOf } from './rules.ts'

export interface LocalRuntimeDeps {
  readonly runtime: LocalRuntime
  /** What the runtime holds, as everybody sees it. */
  readonly local: Connections['local']
  readonly settings: () => Promise<Pick<InstanceSettings, 'localRuntime'>>
  /** Refuses with `setting_locked` when the environment says where the runtime is. */
  readonly saveSettings: (settings: { enabled: boolean; baseUrl: string }) => Promise<unknown>
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly log: Log
}

export const localRuntime = ({ runtime, local, settings, saveSettings, jobs, log }: LocalRuntimeDeps): Area => {
  const told = async () => {
    const { value, source } = (await settings()).localRuntime
    return { ...value, locked: source === 'environment' }
  }
  const baseUrl = async (): Promise<string> => {
    const { enabled, baseUrl: base } = await told()
    if (!enabled) throw fail('provider_not_configured', 'The local runtime is switched off.')
    return base
  }
  /** Asks the runtime; its faults become refusals. */
  const ask = async <T>(question: (base: string) => Promise<T>): Promise<T> => {
    const base = await baseUrl()
    return await question(base).catch((error: unknown) => {
      throw error instanceof ProviderFailure ? refusalOf(error) : error
    })
  }
  const lookInBackground = (): void =>
    void local.refresh().catch((error: unknown) => log.error('looking at the local runtime failed', { error }))

  return defineArea({
    name: 'local-runtime',
    routes,
    handlers: {
      settings: told,

      async updateSettings({ body }) {
        await saveSettings({ enabled: body.enabled, baseUrl: plainBaseUrl(body.baseUrl) })
        lookInBackground()
        return await told()
      },

      async health(): Promise<Output<typeof routes.health>> {
        const { enabled, baseUrl: base } = await told()
        if (!enabled) return { status: 'disabled', version: null, detail: null }
        try {
          return { status: 'healthy', version: await runtime.version(base), detail: null }
        } catch (error) {
          if (!(error instanceof ProviderFailure)) throw error
          return { status: 'unreachable', version: null, detail: refusalOf(error).message }
        }
      },

      version: () => ask(async (base) => ({ version: await runtime.version(base) })),

      async models() {
        await baseUrl()
        const { state, detail, models } = await local.refresh()
        if (state === 'unreachable') throw fail('provider_unreachable', detail ?? undefined)
        return { items: [...models], nextCursor: null }
      },

      async remove({ query: { name } }) {
        await ask((base) => runtime.remove(base, name))
        await local.refresh()
        return {}
      },

      async pull({ body: { name } }, { caller }) {
        await baseUrl()
        // Asking for the same model twice follows one download.
        return await jobs.enqueue(
          pullKind,
          { name },
          { accountId: caller.accountId, subject: name, key: name, keyUntil: 'ended' },
        )
      },

      running: () => ask(async (base) => ({ items: await runtime.running(base), nextCursor: null })),

      async unload({ body: { name } }) {
        await ask((base) => runtime.unload(base, name))
        return {}
      },

      async embed({ body: { model, input } }, { signal }) {
        return { model, embeddings: await ask((base) => runtime.embed(base, model, input, signal)) }
      },
    },
    jobs: {
      [pullKind]: pullHandler({
        runtime,
        baseUrl: async () => {
          const { enabled, baseUrl: base } = await told()
          return enabled ? base : null
        },
        pulled: () => local.refresh(),
      }) as unknown as JobHandler<never>,
    },
  })
}
