import { type Definition, connectionsRoutes } from '@atrium/contract/connections'
import { expect, test } from 'vitest'
import { startProvider } from '../../../../../e2e/provider/provider.ts'
import { builtinProvider } from '../../../providers/builtin/excerpts.ts'
import { openConnections } from '../../../testing/connections.ts'
import { withDatabase } from '../../../testing/databases.ts'

withDatabase('the list of models', (open) => {
  test('tells how fast each is here, of the local runtime also, where it is known', async () => {
    const provider = await startProvider()
    const figures = { firstTokenMs: 400, errorShare: 0.1 }
    const harness = await openConnections(open, {
      privateAddresses: [provider.address],
      localRuntimeUrl: provider.url,
      bundled: [],
      speedOf: (providerId, model) =>
        ['acme echo', 'local echo:latest'].includes(`${providerId} ${model}`) ? figures : null,
    })
    try {
      const body: Definition = {
        id: 'acme',
        name: 'Acme',
        type: 'completion',
        auth: { header: '', key_env: '' },
        endpoint: `${provider.url}/v1/chat/completions`,
        model_map: ['echo'],
      }
      await harness.ann.call(connectionsRoutes.installPlugin, { body })
      await harness.ann.call(connectionsRoutes.activate, { params: { id: 'acme' } })
      const told = async () => {
        const { items } = await harness.ann.call(connectionsRoutes.models, {})
        return Object.fromEntries(
          items.map(({ selection, firstTokenMs, errorShare }) => [
            `${selection.providerId ?? 'local'} ${selection.model}`,
            { firstTokenMs, errorShare },
          ]),
        )
      }
      await expect.poll(told).toHaveProperty('local echo:latest')
      const unknown = { firstTokenMs: null, errorShare: null }
      expect(await told()).toMatchObject({
        'acme echo': figures,
        'acme thinker': unknown,
        'local echo:latest': figures,
        [`${builtinProvider.id} ${builtinProvider.model}`]: unknown,
      })
    } finally {
      await harness.close()
      await provider.close()
    }
  })
})
