import { connectionsRoutes } from '@atrium/contract/connections'
import { durableJobsRoutes } from '@atrium/contract/durable-jobs'
import { mediaGalleryRoutes, mediaMakingRoutes as routes } from '@atrium/contract/media-gallery'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../../e2e/provider/provider.ts'
import { type TestApp, startTestApp } from '../../../testing/app.ts'
import type { Client } from '../../../testing/client.ts'
import { testClock } from '../../../testing/clock.ts'
import { createPostgresDatabase, dropPostgresDatabase } from '../../../testing/databases.ts'

const minute = 60_000
let provider: Provider
beforeAll(async () => {
  provider = await startProvider()
})
afterEach(() => provider.control({ reset: true }))
afterAll(() => provider?.close())

const connect = async (client: Client) => {
  const at = (path: string) => `${provider.url}${path}`
  const body = {
    id: 'box',
    name: 'My Box',
    type: 'completion' as const,
    endpoint: at('/v1/chat/completions'),
    auth: { header: '', key_env: '' },
    model_map: ['echo'],
    capabilities: { video: { endpoint: at('/v1/videos'), model_map: ['film', 'film-slow', 'film-quick'] } },
  }
  await client.call(connectionsRoutes.installPlugin, { body })
  await client.call(connectionsRoutes.activate, { params: { id: 'box' } })
}
const submit = async (client: Client, model: string) =>
  await client.call(routes.generateVideo, { body: { model, pluginId: 'box', prompt: 'Waves' } })
const look = async (client: Client, jobId: string) => await client.call(routes.videoJob, { params: { jobId } })
/** As the list tells it, which asks no provider. */
const jobOf = async (client: Client, id: string) =>
  (await client.call(routes.jobs, {})).items.find((job) => job.id === id)
const itemsOf = async (client: Client) => (await client.call(mediaGalleryRoutes.list, {})).items

describe('a film that nobody asks about', () => {
  const clock = testClock()
  let app: TestApp
  const start = async (env: Record<string, string> = {}) => {
    app = await startTestApp({ env: { OUTBOUND_ALLOW: provider.address, ...env }, overrides: { clock } })
    const admin = await app.signUpAdmin()
    await connect(admin)
    return admin
  }
  /** Goes on in time, and waits for the server to have looked after its jobs then. */
  const pass = async (admin: Client, ms: number) => {
    clock.advance(ms)
    const next = async () => {
      const { items } = await admin.call(durableJobsRoutes.list, { query: { all: 'true' } })
      const [row] = items.flatMap((job) => ('nextRunAt' in job && job.kind === 'media-gallery.collect' ? [job] : []))
      return Date.parse(row?.nextRunAt ?? '')
    }
    await expect.poll(next, { timeout: 120_000, interval: 100 }).toBeGreaterThan(clock.now())
  }
  afterEach(() => app?.close())

  test('is asked about by the server, ever more seldom, until it is there or a day has passed', async () => {
    const admin = await start()
    const slow = await submit(admin, 'film-slow')
    const film = await submit(admin, 'film')
    const asked = () => [provider.count('/v1/videos/film-1'), provider.count('/v1/videos/film-2')]
    await pass(admin, 4 * minute)
    expect(asked()).toEqual([0, 0])
    await pass(admin, 2 * minute)
    expect(asked()).toEqual([1, 1])
    // Eight minutes later, no sooner.
    await pass(admin, 7 * minute)
    expect(asked()).toEqual([1, 1])
    await pass(admin, 2 * minute)
    expect(asked()).toEqual([2, 2])
    expect(await jobOf(admin, film.id)).toMatchObject({ status: 'completed' })
    expect(await itemsOf(admin)).toMatchObject([{ kind: 'video', prompt: 'Waves' }])
    // Whoever looks is left alone.
    clock.advance(3000)
    expect(await look(admin, slow.id)).toMatchObject({ status: 'in_progress', progress: 0.4 })
    await pass(admin, 3 * minute)
    expect(asked()).toEqual([3, 2])
    await pass(admin, 24 * 60 * minute)
    expect(asked()).toEqual([4, 2])
    expect(await jobOf(admin, slow.id)).toMatchObject({ status: 'failed', error: 'timed_out' })
    expect(provider.count('/v1/videos/film-2/content')).toBe(1)
  })

  test('is left alone where the server shall not ask, until somebody does', async () => {
    const admin = await start({ VIDEO_COLLECT: 'off' })
    const { id } = await submit(admin, 'film-quick')
    await pass(admin, 10 * minute)
    expect(provider.count('/v1/videos/film-1')).toBe(0)
    expect(await look(admin, id)).toMatchObject({ status: 'completed', media: { kind: 'video' } })
    expect(provider.count('/v1/videos/film-1')).toBe(1)
  })
})

test('sixty that ask at once, at three servers over one database, have one film downloaded once', async () => {
  const databaseUrl = await createPostgresDatabase()
  const env = { DATABASE_URL: databaseUrl, OUTBOUND_ALLOW: provider.address }
  const app = await startTestApp({ env })
  const others = [
    await startTestApp({ env: { ...env, DATA_DIR: app.dataDir } }),
    await startTestApp({ env: { ...env, DATA_DIR: app.dataDir } }),
  ]
  try {
    const admin = await app.signUpAdmin()
    await connect(admin)
    const { id } = await submit(admin, 'film-quick')
    const clients = [admin, ...others.map((other) => other.client(admin.token))]
    await Promise.all(Array.from({ length: 60 }, (_, at) => look(clients[at % 3] ?? admin, id)))
    await expect.poll(() => look(admin, id)).toMatchObject({ status: 'completed' })
    expect(provider.count('/v1/videos/film-1')).toBe(1)
    expect(provider.count('/v1/videos/film-1/content')).toBe(1)
    const [item, ...more] = await itemsOf(admin)
    expect(more).toEqual([])
    // All of them have the very same one.
    for (const client of clients) expect((await look(client, id)).galleryId).toBe(item?.id)
  } finally {
    for (const other of [...others, app]) await other.close()
    await dropPostgresDatabase(databaseUrl)
  }
})
