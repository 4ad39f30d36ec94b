import { connectionsRoutes } from '@atrium/contract/connections'
import type { Job } from '@atrium/contract/durable-jobs'
import { localRuntimeRoutes as routes } from '@atrium/contract/local-runtime'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../e2e/provider/provider.ts'
import { createEventLog } from '../../platform/events/event-log.ts'
import { eventMigrations } from '../../platform/events/tables.ts'
import { createJobs } from '../../platform/jobs/jobs.ts'
import { jobMigrations } from '../../platform/jobs/tables.ts'
import { createLog } from '../../platform/log/log.ts'
import { realClock } from '../../testing/clock.ts'
import { until } from '../../testing/chats.ts'
import { type ConnectionsHarness, openConnections } from '../../testing/connections.ts'
import { withDatabase } from '../../testing/databases.ts'
import { createTestFeatures } from '../../testing/features.ts'
import { createModelSharing, createLocalRuntimeArea, declareDownloads, localRuntimeMigrations } from './index.ts'
import type { Jobs } from '../../platform/jobs/types.ts'
import type { ModelSharing } from './model-sharing.ts'
import type { LocalRuntimeTables } from './tables.ts'

withDatabase('the local runtime', (open) => {
  let provider: Provider
  let harness: ConnectionsHarness
  let jobs: Jobs
  let stop: () => Promise<void>
  let fixedModel: string | undefined
  let groups: Map<string, string[]>

  beforeEach(async () => {
    groups = new Map()
    provider = await startProvider()
    const log = createLog({ level: 'silent' })
    let sharing: ModelSharing | null = null
    fixedModel = undefined
    harness = await openConnections(open, {
      visibility: () => sharing?.visibility() ?? Promise.reject(new Error('nothing is open yet')),
      isAdministrator: async (accountId) => accountId === 'ann',
      groupsOf: async (accountId) => groups.get(accountId) ?? [],
      migrations: [...eventMigrations, ...jobMigrations, ...localRuntimeMigrations],
      areas: ({ connections, settings, runtime, database, vault, clock, told }) => {
        const base = { database, vault, clock: realClock, log, processId: realClock.id() }
        const events = createEventLog(base)
        jobs = createJobs({ ...base, events, concurrency: 2 })
        const shared = createModelSharing({
          ...base,
          get fixedModel() {
            return fixedModel
          },
        })
        sharing = shared
        const features = createTestFeatures(database, (accountId) => (accountId === 'ann' ? 'admin' : 'user'))
        features.register(declareDownloads(shared, settings.instance))
        const area = createLocalRuntimeArea({
          features,
          runtime,
          jobs,
          log,
          sharing: shared,
          clock,
          changed: async () => void told.push('* models-changed'),
          maxContext: 16_384,
          local: connections.local,
          hiddenFromAccount: connections.hiddenFromAccount,
          settings: settings.instance,
          saveSettings: settings.setLocalRuntime,
        })
        jobs.start([area.jobs ?? {}])
        stop = async () => {
          await jobs.stop()
          await events.stop()
          shared.close()
        }
        return [area]
      },
    })
    await harness.ann.call(routes.updateSettings, { body: { enabled: true, baseUrl: `${provider.url}/` } })
  })
  afterEach(async () => {
    await stop()
    await harness.close()
    await provider.close()
  })

  const names = async () => (await harness.bob.call(routes.models, {})).items.map((model) => model.name)
  const ended = async (id: string): Promise<Job> => {
    const follow = await jobs.follow('ann', id, 0, AbortSignal.timeout(120_000))
    let last: Job | null = null
    for await (const { event } of follow ?? []) last = event.data
    if (!last) throw new Error('there is no such job')
    return last
  }

  test('keeps its address when only the switch is sent, and its switch when only the address is', async () => {
    const moved = `${provider.url}/moved`
    await harness.ann.call(routes.updateSettings, { body: { enabled: false } })
    // Two pages save at once: each says what it changed, and neither takes back what the other said.
    await Promise.all([
      harness.ann.call(routes.updateSettings, { body: { baseUrl: `${moved}/` } }),
      harness.ann.call(routes.updateSettings, { body: { enabled: true } }),
    ])
    expect(await harness.ann.call(routes.settings, {})).toEqual({ enabled: true, baseUrl: moved, locked: false })
  })

  test('is looked for only where an administrator said', async () => {
    expect(await harness.bob.call(routes.settings, {})).toEqual({ enabled: true, baseUrl: provider.url, locked: false })
    expect(await harness.bob.call(routes.health, {})).toEqual({ status: 'healthy', version: '0.12.6', detail: null })
    expect((await harness.settings.allowedAddresses()).has(provider.address)).toBe(true)
    const body = { enabled: false, baseUrl: provider.url }
    expect(await harness.bob.refusal(routes.updateSettings, { body })).toMatchObject({ status: 403 })
    await harness.ann.call(routes.updateSettings, { body })
    expect((await harness.settings.allowedAddresses()).has(provider.address)).toBe(false)
    expect(await harness.bob.call(routes.health, {})).toMatchObject({ status: 'disabled' })
    expect(await harness.bob.refusal(routes.models, {})).toMatchObject({ status: 503, code: 'provider_not_configured' })
  })

  test('tells when it cannot be reached, and when something else answers', async () => {
    provider.control({ listFault: 'status-500' })
    expect(await harness.bob.refusal(routes.models, {})).toMatchObject({ status: 502 })
    await provider.close()
    expect(await harness.bob.call(routes.health, {})).toMatchObject({
      status: 'unreachable',
      detail: expect.any(String),
    })
    expect(await harness.bob.refusal(routes.version, {})).toMatchObject({ status: 502, code: 'provider_unreachable' })
    expect(await harness.bob.refusal(routes.running, {})).toMatchObject({ code: 'provider_unreachable' })
    provider = await startProvider()
  })

  test('lists its models with details', async () => {
    expect((await harness.bob.call(routes.models, {})).items[0]).toMatchObject({
      name: 'echo:latest',
      contextWindow: 8192,
      capabilities: ['completion', 'tools', 'vision'],
      modifiedAt: '2026-11-01T10:00:00.000Z',
    })
  })

  test('a download is a job with progress, and everybody sees the model after it', async () => {
    const job = await harness.ann.call(routes.pull, { body: { name: 'tiny' } })
    expect(job).toMatchObject({ kind: 'local-runtime.pull', subject: 'tiny' })
    const last = await ended(job.id)
    expect(last).toMatchObject({ state: 'succeeded', progress: { current: 5_000_000, total: 5_000_000 } })
    expect(await names()).toContain('tiny:latest')
    expect(harness.told).toContain('* models-changed')
  })

  test('a download is followed by the name of its model', async () => {
    await harness.ann.call(routes.pull, { body: { name: 'tiny' } })
    const frames = []
    for await (const { event } of harness.ann.follow(routes.pullEvents, { query: { model: 'tiny' } }))
      frames.push(event)
    expect(frames.at(-1)).toMatchObject({ type: 'ended', data: { state: 'succeeded', subject: 'tiny' } })
    expect(await harness.ann.refusal(routes.pullEvents, { query: { model: 'other' } })).toMatchObject({
      code: 'job_not_found',
    })
    expect(await harness.bob.refusal(routes.pullEvents, { query: { model: 'tiny' } })).toMatchObject({ status: 404 })
    expect(await harness.ann.refusal(routes.pullAllEvents, {})).toMatchObject({ code: 'job_not_found' })
    expect(await harness.bob.refusal(routes.pullAllEvents, {})).toMatchObject({ status: 403 })
  })

  test('asking twice follows one download; stopping it drops the connection', async () => {
    provider.control({ pullSteps: 2000 })
    const first = await harness.ann.call(routes.pull, { body: { name: 'tiny' } })
    const second = await harness.ann.call(routes.pull, { body: { name: 'tiny' } })
    expect(second.id).toBe(first.id)
    await until(() => provider.count('/api/pull') === 1)
    await new Promise((go) => setTimeout(go, 100))
    await jobs.cancel('ann', first.id)
    expect((await ended(first.id)).state).toBe('cancelled')
    await until(() => provider.requests.findLast((seen) => seen.path === '/api/pull')?.ended === 'aborted')
    expect(await names()).not.toContain('tiny:latest')
    expect(provider.count('/api/pull')).toBe(1)
  })

  test('a name that does not exist ends the job at once, with words', async () => {
    const { id } = await harness.ann.call(routes.pull, { body: { name: 'absent' } })
    expect(await ended(id)).toMatchObject({ state: 'failed', attempts: 1, failure: { code: 'model_not_found' } })
  })

  test('an upload is a job of administrators, with progress, and words where the library refuses', async () => {
    await harness.ann.call(routes.copy, { body: { source: 'echo', destination: 'ann/echo' } })
    const { id } = await harness.ann.call(routes.push, { body: { name: 'ann/echo' } })
    expect(await ended(id)).toMatchObject({
      kind: 'local-runtime.push',
      state: 'succeeded',
      progress: { current: 5_000_000, total: 5_000_000 },
    })
    const refused = await harness.ann.call(routes.push, { body: { name: 'echo' } })
    expect(await ended(refused.id)).toMatchObject({
      state: 'failed',
      attempts: 1,
      failure: { detail: expect.stringContaining('account/model') },
    })
    expect(await harness.ann.refusal(routes.push, { body: { name: 'nobody' } })).toMatchObject({
      code: 'model_not_found',
    })
    expect(await harness.bob.refusal(routes.push, { body: { name: 'ann/echo' } })).toMatchObject({ status: 403 })
  })

  test('deletes, frees and embeds', async () => {
    await harness.ann.call(routes.remove, { query: { name: 'markdown:latest' } })
    expect(await names()).not.toContain('markdown:latest')
    expect(await harness.ann.refusal(routes.remove, { query: { name: 'nobody' } })).toMatchObject({
      code: 'model_not_found',
    })
    expect((await harness.bob.call(routes.running, {})).items).toEqual([])
    await harness.ann.call(routes.unload, { body: { name: 'echo' } })
    const answer = await harness.bob.call(routes.embed, { body: { model: 'embedder', input: ['a', 'b'] } })
    expect(answer.embeddings).toHaveLength(2)
    const older = await harness.bob.call(routes.embeddings, { body: { model: 'embedder', prompt: 'a' } })
    expect(older.embedding).toEqual(answer.embeddings[0])
    const unknown = { body: { model: 'nobody', input: ['a'] } }
    expect(await harness.bob.refusal(routes.embed, unknown)).toMatchObject({ code: 'model_not_found' })
  })

  test('shows everything about one model, and what it does by itself', async () => {
    const shown = await harness.bob.call(routes.show, { query: { name: 'thinker:latest' } })
    expect(shown).toMatchObject({
      name: 'thinker:latest',
      family: 'llama',
      format: 'gguf',
      contextWindow: 32_768,
      embeddingLength: 3072,
      capabilities: ['completion', 'tools', 'thinking'],
      parameters: { stop: ['<|start|>', '<|eot_id|>'] },
      template: '{{ .Prompt }}',
      definition: 'FROM thinker',
      system: null,
      info: null,
    })
    const all = await harness.bob.call(routes.show, { query: { name: 'thinker:latest', verbose: 'true' } })
    expect(all.info).toMatchObject({ 'general.architecture': 'llama' })
    expect(all.info).not.toHaveProperty('tokenizer.ggml.tokens')
    expect(await harness.bob.refusal(routes.show, { query: { name: 'nobody' } })).toMatchObject({
      code: 'model_not_found',
    })

    const before = provider.count('/api/show')
    const params = { modelName: 'thinker:latest' }
    expect(await harness.bob.call(routes.defaults, { params })).toEqual({
      model: 'thinker:latest',
      options: { stop: ['<|start|>', '<|eot_id|>'] },
      trainedContextLength: 32_768,
      contextCapped: true,
      capabilities: ['completion', 'tools', 'thinking'],
      supportsThinking: true,
    })
    await harness.bob.call(routes.defaults, { params })
    expect(provider.count('/api/show')).toBe(before + 1)
    harness.clock.advance(11 * 60_000)
    await harness.bob.call(routes.defaults, { params })
    expect(provider.count('/api/show')).toBe(before + 2)
    const slashed = { params: { modelName: 'vendor/model:1b' } }
    expect(await harness.bob.refusal(routes.defaults, slashed)).toMatchObject({ code: 'model_not_found' })
  })

  test('copies a model', async () => {
    await harness.ann.call(routes.copy, { body: { source: 'echo:latest', destination: 'mine' } })
    expect(await names()).toContain('mine:latest')
    expect(await harness.ann.refusal(routes.copy, { body: { source: 'nobody', destination: 'x' } })).toMatchObject({
      code: 'model_not_found',
    })
  })

  test('makes a model from another one, as a job', async () => {
    const body = {
      name: 'brief',
      from: 'echo:latest',
      system: 'Be brief.',
      parameters: { temperature: 0.2, num_ctx: 4096, stop: ['END', '"'] },
    }
    const job = await harness.ann.call(routes.create, { body })
    expect(job).toMatchObject({ kind: 'local-runtime.create', subject: 'brief' })
    expect(await ended(job.id)).toMatchObject({ state: 'succeeded', progress: { message: 'success' } })
    expect(await names()).toContain('brief:latest')
    expect(await harness.bob.call(routes.show, { query: { name: 'brief' } })).toMatchObject({
      system: 'Be brief.',
      definition: 'FROM echo',
      parameters: { temperature: 0.2, num_ctx: 4096, stop: ['END', '"'] },
    })
    const unknown = { body: { name: 'brief', from: 'nobody' } }
    expect(await harness.ann.refusal(routes.create, unknown)).toMatchObject({ code: 'model_not_found' })
    const large = { ...body, system: 'x'.repeat(20_000), template: 'x'.repeat(20_000), license: 'x'.repeat(20_000) }
    expect(await harness.ann.refusal(routes.create, { body: large })).toMatchObject({ status: 413 })
  })

  test('brings all models up to date, one after the other', async () => {
    provider.control({ models: ['echo', 'absent-from-the-library', 'long'], pullStepMs: 150 })
    const job = await harness.ann.call(routes.pullAll, {})
    expect((await harness.ann.call(routes.pullAll, {})).id).toBe(job.id)
    expect(await ended(job.id)).toMatchObject({
      state: 'succeeded',
      progress: { current: 3, total: 3, message: '1 of 3 not updated' },
    })
    expect(provider.requests.filter(({ path }) => path === '/api/pull').map(({ model }) => model)).toEqual([
      'echo:latest',
      'absent-from-the-library:latest',
      'long:latest',
    ])
  })

  test('frees the memory of one model, and of all', async () => {
    const load = (model: string) =>
      fetch(`${provider.url}/api/chat`, { method: 'POST', body: JSON.stringify({ model, messages: [] }) })
    for (const model of ['echo', 'long', 'thinker']) await load(model)
    expect((await harness.bob.call(routes.running, {})).items[0]).toMatchObject({
      name: 'echo:latest',
      vramBytes: 500_000_000,
      expiresAt: expect.stringMatching(/Z$/),
    })
    await harness.ann.call(routes.unload, { body: { name: 'echo:latest' } })
    expect((await harness.bob.call(routes.running, {})).items).toHaveLength(2)
    expect(await harness.ann.call(routes.unloadAll, {})).toEqual({ unloaded: ['long:latest', 'thinker:latest'] })
    expect((await harness.bob.call(routes.running, {})).items).toEqual([])
  })

  describe('how models are shown', () => {
    const visibility = {
      hidden: ['long:latest', 'cloud/large'],
      order: ['thinker:latest', 'long:latest'],
      starred: ['echo:latest', 'cloud/large'],
      metadata: { 'echo:latest': { label: 'The echo' }, 'cloud/large': { label: 'Large' } },
      groups: {},
      defaultModel: null,
    }

    test('is as they come until somebody says otherwise', async () => {
      const nothing = { hidden: [], order: [], starred: [], metadata: {}, groups: {}, defaultModel: null }
      expect(await harness.bob.call(routes.visibility, {})).toEqual(nothing)
    })

    test('is kept for everybody, and what is hidden is not told', async () => {
      expect(await harness.ann.call(routes.updateVisibility, { body: visibility })).toEqual(visibility)
      expect(harness.told).toContain('* models-changed')
      expect(await harness.ann.call(routes.visibility, {})).toEqual(visibility)
      expect(await harness.bob.call(routes.visibility, {})).toEqual({
        hidden: [],
        order: ['thinker:latest'],
        starred: ['echo:latest'],
        metadata: { 'echo:latest': { label: 'The echo' } },
        groups: {},
        defaultModel: null,
      })
      expect(await names()).not.toContain('long:latest')
      expect((await harness.ann.call(routes.models, {})).items.map(({ name }) => name)).toContain('long:latest')
    })

    test('is what people see in the picker', async () => {
      await harness.ann.call(routes.updateVisibility, { body: visibility })
      await harness.ann.call(routes.models, {})
      const seen = async (who: 'ann' | 'bob') =>
        (await harness[who].call(connectionsRoutes.models, {})).items
          .filter(({ selection }) => selection.providerType === 'local')
          .map(({ name, hidden }) => (hidden ? `(${name})` : name))
      expect(await seen('bob')).toEqual(['The echo', 'thinker', 'markdown', 'caller'])
      expect(await seen('ann')).toEqual(['The echo', 'thinker', '(long)', 'markdown', 'caller'])
    })

    test('decides whom a model answers: one that is hidden, administrators alone, by whichever of its names', async () => {
      await harness.ann.call(routes.updateVisibility, { body: visibility })
      await harness.ann.call(routes.models, {})
      const answers = async (who: string, model: string) =>
        'model' in (await harness.connections.resolve(who, { providerType: 'local', providerId: null, model }))
      expect([await answers('bob', 'long:latest'), await answers('bob', 'long')]).toEqual([false, false])
      expect([await answers('ann', 'long:latest'), await answers('bob', 'echo:latest')]).toEqual([true, true])
    })

    test('starts new chats with the model that the environment names, which nobody can change', async () => {
      await harness.ann.call(routes.models, {})
      fixedModel = 'long'
      const { fallback } = await harness.bob.call(connectionsRoutes.models, {})
      expect(fallback).toMatchObject({ selection: { model: 'long:latest' }, because: 'instance-default' })
      const fixedDefault = { variable: 'DEFAULT_MODEL', model: 'long' }
      expect(await harness.ann.call(routes.visibility, {})).toMatchObject({ fixedDefault, defaultModel: null })
      expect(await harness.bob.call(routes.visibility, {})).not.toHaveProperty('fixedDefault')
      const defaultModel = { providerType: 'local', providerId: null, model: 'echo:latest' } as const
      expect(
        await harness.ann.refusal(routes.updateVisibility, { body: { ...visibility, defaultModel } }),
      ).toMatchObject({ code: 'setting_locked', problem: { detail: expect.stringContaining('DEFAULT_MODEL') } })
      const other = await harness.ann.call(routes.updateVisibility, { body: visibility })
      expect(other).toMatchObject({ hidden: visibility.hidden, fixedDefault })
    })

    test('keeps a model for groups: others neither see it nor are answered by it', async () => {
      const selection = { providerType: 'local', providerId: null, model: 'long:latest' } as const
      const forStaff = { ...visibility, hidden: [], groups: { 'long:latest': ['staff', 'staff'] } }
      const saved = await harness.ann.call(routes.updateVisibility, { body: { ...forStaff, defaultModel: selection } })
      expect(saved).toMatchObject({ groups: { 'long:latest': ['staff'] }, defaultModel: selection })
      await harness.ann.call(routes.models, {})
      const state = async (who: 'ann' | 'bob') => {
        const { items, fallback } = await harness[who].call(connectionsRoutes.models, {})
        return [
          items.some(({ selection: { model } }) => model === 'long:latest'),
          'model' in (await harness.connections.resolve(who, selection)),
          (await harness[who].call(routes.models, {})).items.some(({ name }) => name === 'long:latest'),
          (await harness[who].call(routes.visibility, {})).defaultModel !== null,
          fallback?.because,
        ]
      }
      expect(await state('bob')).toEqual([false, false, false, false, 'first-connected'])
      expect(await state('ann')).toEqual([true, true, true, true, 'instance-default'])
      groups.set('bob', ['staff'])
      expect(await state('bob')).toEqual([true, true, true, true, 'instance-default'])
      expect((await harness.bob.call(routes.visibility, {})).groups).toEqual({})
    })

    test('hides every model while it cannot be read, until it is saved anew', async () => {
      await harness.ann.call(routes.updateVisibility, { body: visibility })
      const rows = harness.database.tables<LocalRuntimeTables>()
      await rows
        .updateTable('local_runtime_settings')
        .set({ value: Buffer.from('broken') })
        .execute()
      await harness.database.notify('local-runtime-settings-changed', '')
      await until(async () => (await names()).length === 0)
      const local = async (who: 'ann' | 'bob') =>
        (await harness[who].call(connectionsRoutes.models, {})).items.filter(
          (m) => m.selection.providerType === 'local',
        )
      expect(await local('bob')).toEqual([])
      expect((await local('ann')).map(({ hidden }) => hidden)).toEqual([true, true, true, true, true])
      expect(await harness.bob.call(routes.pullAccess, {})).toEqual({ mode: 'admins', allowed: false })
      await harness.ann.call(routes.updateVisibility, { body: visibility })
      expect(await names()).not.toEqual([])
    })

    test('is known to other processes with the change itself', async () => {
      const { database, vault } = harness
      const base = { vault, clock: realClock, log: createLog({ level: 'silent' }) }
      // This one ends before it says anything more.
      const notify = () => Promise.reject(new Error('gone'))
      const [here, there] = [{ ...database, notify }, database].map((own) =>
        createModelSharing(Object.assign({ database: own }, base)),
      )
      expect((await there?.pullAccess())?.mode).toBe('admins')
      await here?.savePullAccess({ mode: 'all-users', groupIds: [] })
      await until(async () => (await there?.pullAccess())?.mode === 'all-users')
      here?.close()
      there?.close()
    })

    test('is sealed in the database', async () => {
      await harness.ann.call(routes.updateVisibility, { body: visibility })
      const rows = await harness.database
        .tables<LocalRuntimeTables>()
        .selectFrom('local_runtime_settings')
        .selectAll()
        .execute()
      expect(rows).toHaveLength(1)
      expect(Buffer.from(rows[0]?.value ?? []).includes('The echo')).toBe(false)
    })

    test.each([
      ['a key that is too long', { ...visibility, hidden: ['x'.repeat(513)] }],
      ['a name that is too long', { ...visibility, metadata: { echo: { label: 'x'.repeat(129) } } }],
      [
        'too many names',
        {
          ...visibility,
          metadata: Object.fromEntries(Array.from({ length: 2001 }, (_, n) => [`m${n}`, { label: 'x' }])),
        },
      ],
    ])('is refused with %s', async (_what, body) => {
      expect(await harness.ann.refusal(routes.updateVisibility, { body })).toMatchObject({ code: 'validation_failed' })
    })
  })

  test('downloads are for administrators, until they let everybody', async () => {
    expect(await harness.bob.call(routes.pullAccess, {})).toEqual({ mode: 'admins', allowed: false })
    expect(await harness.ann.call(routes.pullAccess, {})).toEqual({ mode: 'admins', allowed: true })
    const tiny = { body: { name: 'tiny' } }
    expect(await harness.bob.refusal(routes.pull, tiny)).toMatchObject({ status: 403, code: 'forbidden' })
    await harness.ann.call(routes.updatePullAccess, { body: { mode: 'all-users' } })
    expect(await harness.bob.call(routes.pullAccess, {})).toEqual({ mode: 'all-users', allowed: true })
    const job = await harness.bob.call(routes.pull, tiny)
    expect(job.subject).toBe('tiny')
    await harness.ann.call(routes.updatePullAccess, { body: { mode: 'admins' } })
    expect(await harness.bob.refusal(routes.pull, tiny)).toMatchObject({ status: 403 })
  })

  test('only an administrator changes the shared runtime', async () => {
    for (const call of [
      harness.bob.refusal(routes.pull, { body: { name: 'tiny' } }),
      harness.bob.refusal(routes.pullAll, {}),
      harness.bob.refusal(routes.remove, { query: { name: 'echo' } }),
      harness.bob.refusal(routes.copy, { body: { source: 'echo', destination: 'mine' } }),
      harness.bob.refusal(routes.create, { body: { name: 'mine', from: 'echo' } }),
      harness.bob.refusal(routes.unload, { body: { name: 'echo' } }),
      harness.bob.refusal(routes.unloadAll, {}),
      harness.bob.refusal(routes.updatePullAccess, { body: { mode: 'all-users' } }),
      harness.bob.refusal(routes.updateVisibility, { body: { hidden: [], order: [], starred: [], metadata: {} } }),
    ]) {
      expect(await call).toMatchObject({ status: 403 })
    }
    expect(provider.requests.filter(({ method }) => method !== 'GET' && method !== 'POST')).toEqual([])
  })
})
