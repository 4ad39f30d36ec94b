import type { Job } from '@atrium/contract/durable-jobs'
import { localRuntime as routes } from '@atrium/contract/local-runtime'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../e2e/provider/provider.ts'
import { createEventLog } from '../../platform/events/event-log.ts'
import { eventMigrations } from '../../platform/events/tables.ts'
import { createJobs } from '../../platform/jobs/jobs.ts'
import { jobMigrations } from '../../platform/jobs/tables.ts'
import { createLog } from '../../platform/log/log.ts'
import { realClock } from '../../testing/clock.ts'
import { type ConnectionsHouse, openConnections } from '../../testing/connections.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { localRuntime } from './index.ts'
import type { Jobs } from '../../platform/jobs/types.ts'

onBothDatabases('the local runtime', (open) => {
  let provider: Provider
  let house: ConnectionsHouse
  let jobs: Jobs
  let stop: () => Promise<void>

  beforeEach(async () => {
    provider = await startProvider()
    const log = createLog({ level: 'silent' })
    house = await openConnections(open, {
      migrations: [...eventMigrations, ...jobMigrations],
      areas: ({ connections, settings, runtime, database, vault }) => {
        const base = { database, vault, clock: realClock, log, processId: realClock.id() }
        const events = createEventLog(base)
        jobs = createJobs({ ...base, events, concurrency: 2 })
        const area = localRuntime({
          runtime,
          jobs,
          log,
          local: connections.local,
          settings: settings.instance,
          saveSettings: settings.setLocalRuntime,
        })
        jobs.start([area.jobs ?? {}])
        stop = async () => {
          await jobs.stop()
          await events.stop()
        }
        return [area]
      },
    })
    await house.ann.call(routes.updateSettings, { body: { enabled: true, baseUrl: `${provider.url}/` } })
  })
  afterEach(async () => {
    await stop()
    await house.close()
    await provider.close()
  })

  const names = async () => (await house.bob.call(routes.models, {})).items.map((model) => model.name)
  const ended = async (id: string): Promise<Job> => {
    const follow = await jobs.follow('ann', id, 0, AbortSignal.timeout(10_000))
    let last: Job | null = null
    for await (const { event } of follow ?? []) last = event.data
    if (!last) throw new Error('there is no such job')
    return last
  }

  test('is looked for only where an administrator said', async () => {
    expect(await house.bob.call(routes.settings, {})).toEqual({ enabled: true, baseUrl: provider.url, locked: false })
    expect(await house.bob.call(routes.health, {})).toEqual({ status: 'healthy', version: '0.12.6', detail: null })
    expect((await house.settings.allowedAddresses()).has(provider.address)).toBe(true)
    const body = { enabled: false, baseUrl: provider.url }
    expect(await house.bob.refusal(routes.updateSettings, { body })).toMatchObject({ status: 403 })
    await house.ann.call(routes.updateSettings, { body })
    expect((await house.settings.allowedAddresses()).has(provider.address)).toBe(false)
    expect(await house.bob.call(routes.health, {})).toMatchObject({ status: 'disabled' })
    expect(await house.bob.refusal(routes.models, {})).toMatchObject({ status: 503, code: 'provider_not_configured' })
  })

  test('tells when it cannot be reached, and when something else answers', async () => {
    provider.control({ listFault: 'status-500' })
    expect(await house.bob.refusal(routes.models, {})).toMatchObject({ status: 502 })
    await provider.close()
    expect(await house.bob.call(routes.health, {})).toMatchObject({ status: 'unreachable', detail: expect.any(String) })
    expect(await house.bob.refusal(routes.version, {})).toMatchObject({ status: 502, code: 'provider_unreachable' })
    expect(await house.bob.refusal(routes.running, {})).toMatchObject({ code: 'provider_unreachable' })
    provider = await startProvider()
  })

  test('lists its models with details', async () => {
    expect((await house.bob.call(routes.models, {})).items[0]).toMatchObject({
      name: 'echo:latest',
      contextWindow: 8192,
      capabilities: ['completion', 'tools', 'vision'],
      modifiedAt: '2026-11-01T10:00:00.000Z',
    })
  })

  test('a download is a job with progress, and everybody sees the model after it', async () => {
    const job = await house.ann.call(routes.pull, { body: { name: 'tiny' } })
    expect(job).toMatchObject({ kind: 'local-runtime.pull', subject: 'tiny' })
    const last = await ended(job.id)
    expect(last).toMatchObject({ state: 'succeeded', progress: { current: 5_000_000, total: 5_000_000 } })
    expect(await names()).toContain('tiny:latest')
    expect(house.told).toContain('* models-changed')
  })

  test('asking twice follows one download; stopping it drops the connection', async () => {
    provider.control({ pullSteps: 2000 })
    const first = await house.ann.call(routes.pull, { body: { name: 'tiny' } })
    const second = await house.ann.call(routes.pull, { body: { name: 'tiny' } })
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
    const { id } = await house.ann.call(routes.pull, { body: { name: 'absent' } })
    expect(await ended(id)).toMatchObject({ state: 'failed', attempts: 1, failure: { code: 'model_not_found' } })
  })

  test('deletes, frees and embeds', async () => {
    await house.ann.call(routes.remove, { query: { name: 'markdown:latest' } })
    expect(await names()).not.toContain('markdown:latest')
    expect(await house.ann.refusal(routes.remove, { query: { name: 'nobody' } })).toMatchObject({
      code: 'model_not_found',
    })
    expect((await house.bob.call(routes.running, {})).items).toEqual([])
    await house.ann.call(routes.unload, { body: { name: 'echo' } })
    const answer = await house.bob.call(routes.embed, { body: { model: 'embedder', input: ['a', 'b'] } })
    expect(answer.embeddings).toHaveLength(2)
    const unknown = { body: { model: 'nobody', input: ['a'] } }
    expect(await house.bob.refusal(routes.embed, unknown)).toMatchObject({ code: 'model_not_found' })
  })

  test('only an administrator changes the shared runtime', async () => {
    for (const call of [
      house.bob.refusal(routes.pull, { body: { name: 'tiny' } }),
      house.bob.refusal(routes.remove, { query: { name: 'echo' } }),
      house.bob.refusal(routes.unload, { body: { name: 'echo' } }),
    ]) {
      expect(await call).toMatchObject({ status: 403 })
    }
  })
})

async function until(done: () => boolean): Promise<void> {
  for (let n = 0; n < 200; n += 1) {
    if (done()) return
    await new Promise((go) => setTimeout(go, 20))
  }
  throw new Error('it did not come to pass')
}
