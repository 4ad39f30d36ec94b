import { connectionsRoutes } from '@atrium/contract/connections'
import { mediaMakingRoutes as routes } from '@atrium/contract/media-gallery'
import { expect, test } from 'vitest'
import { startProvider } from '../../../../../e2e/provider/provider.ts'
import { startTestApp } from '../../../testing/app.ts'

test('what a killed process was making stands as interrupted, and is not asked for again; a film goes on', async () => {
  const provider = await startProvider()
  const app = await startTestApp({ ownProcess: true, env: { OUTBOUND_ALLOW: provider.address } })
  try {
    const admin = await app.signUpAdmin()
    const at = (path: string) => `${provider.url}${path}`
    const body = {
      id: 'box',
      name: 'My Box',
      type: 'completion' as const,
      endpoint: at('/v1/chat/completions'),
      auth: { header: '', key_env: '' },
      model_map: ['echo'],
      capabilities: {
        image: { endpoint: at('/v1/images/generations'), model_map: ['stall-headers'] },
        video: { endpoint: at('/v1/videos'), model_map: ['film'] },
      },
    }
    await admin.call(connectionsRoutes.installPlugin, { body })
    await admin.call(connectionsRoutes.activate, { params: { id: 'box' } })
    const film = await admin.call(routes.generateVideo, { body: { model: 'film', pluginId: 'box', prompt: 'Waves' } })
    const wish = { model: 'stall-headers', pluginId: 'box', prompt: 'A boat' }
    const picture = admin.call(routes.generateImage, { body: wish }).catch(() => null)
    const active = async () => (await admin.call(routes.jobs, { query: { active: 'true' } })).items
    await expect.poll(active).toHaveLength(2)
    await expect.poll(() => provider.count('/v1/images/generations')).toBe(1)
    await app.kill()
    await picture
    await app.restart()
    const left = async () => (await admin.call(routes.jobs, {})).items.find(({ kind }) => kind === 'image')
    await expect.poll(left, { timeout: 120_000 }).toMatchObject({ status: 'failed', error: 'interrupted' })
    expect(provider.count('/v1/images/generations')).toBe(1)
    const look = () => admin.call(routes.videoJob, { params: { jobId: film.id } })
    await expect.poll(look, { timeout: 120_000, interval: 1000 }).toMatchObject({ status: 'completed' })
    expect(provider.count('/v1/videos')).toBe(1)
  } finally {
    await app.close()
    await provider.close()
  }
}, 180_000)
