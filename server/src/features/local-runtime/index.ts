/**
 * The local runtime: where it is, what it holds and has loaded, downloads with progress, and how models are shown to
 * everybody. Whatever changes the shared runtime is for administrators, who may let everybody download. It refuses to
 * reach any other address than the configured one.
 */
import { isDeepStrictEqual } from 'node:util'
import { localRuntimeRoutes as routes, type ModelDefaults } from '@atrium/contract/local-runtime'
import type { Output } from '@atrium/contract/route'
import type { InstanceSettings } from '@atrium/contract/settings'
import type { Features } from '../../core/access/index.ts'
import { createCache } from '../../platform/cache/cache.ts'
import type { Connections } from '../../core/connections/index.ts'
import { type Caller, bindRoutes } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Jobs } from '../../platform/jobs/types.ts'
import type { Platform } from '../../platform/platform.ts'
import type { LocalRuntime } from '../../providers/local-runtime.ts'
import { ProviderFailure } from '../../providers/types.ts'
import { forMembers, plainBaseUrl, plainVisibility, refusalOf, shownVisibility, toDefaults } from './rules.ts'
import { pullFeature } from './downloads.ts'
import type { ModelSharing } from './model-sharing.ts'
import { localRuntimeMigrations } from './tables.ts'
import { createKind, pullAllKind, pullKind, pushKind, runtimeJobs } from './jobs.ts'

export { createModelSharing } from './model-sharing.ts'
export { declareDownloads } from './downloads.ts'
export { localRuntimeMigrations, localRuntimeSealed } from './tables.ts'

export interface LocalRuntimeDeps extends Pick<Platform, 'log'> {
  readonly runtime: LocalRuntime
  /** What the runtime holds, as everybody sees it. */
  readonly local: Connections['local']
  /** Tells of models, by their keys, whether they are hidden from an account. */
  readonly hiddenFromAccount: Connections['hiddenFromAccount']
  readonly settings: () => Promise<Pick<InstanceSettings, 'localRuntime'>>
  /** Refuses with `setting_locked` when the environment says where the runtime is. */
  readonly saveSettings: (change: { enabled?: boolean; baseUrl?: string }) => Promise<unknown>
  readonly sharing: ModelSharing
  readonly features: Pick<Features, 'allows' | 'save' | 'whileAllowed'>
  /** Tells the open pages of everybody that models are shown otherwise. */
  readonly changed: () => Promise<void>
  /** OLLAMA_MAX_CONTEXT: the largest window that is asked of the runtime. */
  readonly maxContext: number
  readonly jobs: Pick<Jobs, 'enqueue' | 'list' | 'follow'>
  readonly clock: Pick<Clock, 'now'>
}

const defaultsMs = 10 * 60_000
const largestVisibility = 2_000_000
const largestModel = 50_000

export const createLocalRuntimeArea = (deps: LocalRuntimeDeps) => {
  const { runtime, local, features, settings, saveSettings, sharing, jobs, clock, log } = deps
  const defaultsByName = createCache<ModelDefaults>({ max: 1000, ttl: { ms: defaultsMs, clock } })
  const readSettings = async () => {
    const { value, source } = (await settings()).localRuntime
    return { ...value, locked: source === 'environment' }
  }
  const baseUrl = async (): Promise<string> => {
    const { enabled, baseUrl: base } = await readSettings()
    if (!enabled) throw fail('provider_not_configured', 'The local runtime is off.')
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

  /** Has everybody see what the runtime holds now. */
  const refreshModels = async () => {
    defaultsByName.forget()
    return await local.refresh()
  }
  const access = async ({ accountId, role }: Pick<Caller, 'accountId' | 'role'>) => ({
    mode: (await sharing.pullAccess()).mode,
    allowed: await features.allows(pullFeature, accountId, role),
  })

  /** The events of the newest job of a kind that an account began. */
  const follow = async (
    accountId: string,
    kind: string,
    subject: string | null,
    after: number,
    signal: AbortSignal,
  ) => {
    const { items } = await jobs.list(accountId, { limit: 200 })
    const newest = items.find((job) => job.kind === kind && (subject === null || job.subject === subject))
    const events = newest && (await jobs.follow(accountId, newest.id, after, signal))
    if (!events) throw fail('job_not_found')
    return events
  }

  return bindRoutes({
    name: 'local-runtime',
    routes,
    handlers: {
      settings: readSettings,

      async updateSettings({ body }) {
        const { enabled, baseUrl: typed } = body
        await saveSettings({
          ...(enabled === undefined ? {} : { enabled }),
          ...(typed === undefined ? {} : { baseUrl: plainBaseUrl(typed) }),
        })
        lookInBackground()
        return await readSettings()
      },

      async health(): Promise<Output<typeof routes.health>> {
        const { enabled, baseUrl: base } = await readSettings()
        if (!enabled) return { status: 'disabled', version: null, detail: null }
        try {
          return { status: 'healthy', version: await runtime.version(base), detail: null }
        } catch (error) {
          if (!(error instanceof ProviderFailure)) throw error
          return { status: 'unreachable', version: null, detail: refusalOf(error).message }
        }
      },

      version: () => ask(async (base) => ({ version: await runtime.version(base) })),

      async models(_input, { caller }) {
        await baseUrl()
        const { state, detail, models } = await local.refresh()
        if (state === 'unreachable') throw fail('provider_unreachable', detail ?? undefined)
        if (caller.role === 'admin') return { items: [...models], nextCursor: null }
        const isHidden = await deps.hiddenFromAccount(caller.accountId)
        return { items: models.filter(({ name }) => !isHidden(name)), nextCursor: null }
      },

      async show({ query: { name, verbose } }) {
        return await ask((base) => runtime.show(base, name, verbose === 'true'))
      },

      async defaults({ params: { modelName } }) {
        const { enabled, baseUrl: base } = await readSettings()
        if (!enabled) throw fail('model_not_found', 'The local runtime is off.')
        const key = `${base} ${modelName}`
        return await defaultsByName.load(key, async () =>
          toDefaults(await ask((at) => runtime.show(at, modelName, false)), deps.maxContext),
        )
      },

      async remove({ query: { name } }) {
        await ask((base) => runtime.remove(base, name))
        await refreshModels()
        return {}
      },

      async copy({ body: { source, destination } }) {
        await ask((base) => runtime.copy(base, source, destination))
        await refreshModels()
        return {}
      },

      async create({ body }, { caller }) {
        if (JSON.stringify(body).length > largestModel) throw fail('too_large')
        await ask((base) => runtime.show(base, body.from, false))
        const { accountId } = caller
        return await jobs.enqueue(createKind, body, { accountId, subject: body.name })
      },

      pullAccess: (_input, { caller }) => access(caller),

      async updatePullAccess({ body: { mode } }, { caller }) {
        await features.save(pullFeature, { mode })
        return await access(caller)
      },

      async visibility(_input, { caller }) {
        const { allHidden: _, fixedModel, ...visibility } = await sharing.visibility()
        return caller.role === 'admin'
          ? shownVisibility(visibility, fixedModel)
          : forMembers(visibility, await deps.hiddenFromAccount(caller.accountId))
      },

      async updateVisibility({ body }) {
        const visibility = plainVisibility(body)
        const { fixedModel, defaultModel } = await sharing.visibility()
        if (fixedModel !== undefined && !isDeepStrictEqual(visibility.defaultModel, defaultModel))
          throw fail('setting_locked', 'The default model is set by DEFAULT_MODEL in the environment.')
        if (JSON.stringify(visibility).length > largestVisibility) throw fail('too_large')
        await sharing.saveVisibility(visibility)
        await deps.changed()
        return shownVisibility(visibility, fixedModel)
      },

      async pull({ body: { name } }, { caller }) {
        await baseUrl()
        if (!(await access(caller)).allowed) throw fail('forbidden', 'You can’t download models on this server.')
        // Asking for the same model twice follows one download.
        return await jobs.enqueue(
          pullKind,
          { name },
          { accountId: caller.accountId, subject: name, key: name, keyUntil: 'ended' },
        )
      },

      async pullAll(_input, { caller: { accountId } }) {
        await baseUrl()
        return await jobs.enqueue(pullAllKind, {}, { accountId, key: 'all', keyUntil: 'ended' })
      },

      async push({ body: { name } }, { caller: { accountId } }) {
        await ask((base) => runtime.show(base, name, false))
        return await jobs.enqueue(pushKind, { name }, { accountId, subject: name, key: name, keyUntil: 'ended' })
      },

      pullEvents: ({ query: { model } }, { caller, after, signal }) =>
        follow(caller.accountId, pullKind, model, after, signal),

      pullAllEvents: (_input, { caller, after, signal }) => follow(caller.accountId, pullAllKind, null, after, signal),

      running: () => ask(async (base) => ({ items: await runtime.running(base), nextCursor: null })),

      async unload({ body: { name } }) {
        await ask((base) => runtime.unload(base, name))
        return {}
      },

      async unloadAll() {
        return await ask(async (base) => {
          const loaded = (await runtime.running(base)).map(({ name }) => name)
          for (const name of loaded) await runtime.unload(base, name)
          return { unloaded: loaded }
        })
      },

      async embed({ body: { model, input } }, { signal }) {
        return { model, embeddings: await ask((base) => runtime.embed(base, model, input, signal)) }
      },

      async embeddings({ body: { model, prompt } }, { signal }) {
        const [embedding = []] = await ask((base) => runtime.embed(base, model, [prompt], signal))
        return { embedding }
      },
    },
    jobs: runtimeJobs({
      runtime,
      whileAllowed: (accountId, signal, run) => features.whileAllowed(pullFeature, accountId, signal, run),
      baseUrl: async () => {
        const { enabled, baseUrl: base } = await readSettings()
        return enabled ? base : null
      },
      refreshModels,
    }),
    migrations: localRuntimeMigrations,
  })
}
