import { connectionsRoutes } from '@atrium/contract/connections'
import { expect, test } from 'vitest'
import { startProvider } from '../../../../../e2e/provider/provider.ts'
import { type BundledDefinition, bundledDefinitions } from '../../../providers/definitions.ts'
import { openConnections } from '../../../testing/connections.ts'
import { withDatabase } from '../../../testing/databases.ts'

withDatabase('a provider that lists no models', (open) => {
  test('has those it names, or the deployments that the account names, and is asked for none', async () => {
    const provider = await startProvider()
    const harness = await openConnections(open, {
      privateAddresses: [provider.address],
      bundled: bundledDefinitions().map(
        (one): BundledDefinition =>
          one.id === 'azure' ? { ...one, endpoint: `${provider.url}/v1/chat/completions` } : one,
      ),
    })
    try {
      const params = { id: 'azure' }
      const save = (variables: Record<string, string>) =>
        harness.ann.call(connectionsRoutes.saveVariables, { params, body: { variables } })
      await save({ resource: 'ours' })
      await harness.ann.call(connectionsRoutes.saveKey, { params, body: { apiKey: 'key-of-ann' } })
      await harness.ann.call(connectionsRoutes.activate, { params })
      const models = async () =>
        (await harness.ann.call(connectionsRoutes.models, {})).items
          .filter(({ selection }) => selection.providerId === 'azure')
          .map(({ name }) => name)
      expect(await models()).toContain('gpt-5.5')
      await save({ deployment: 'our-gpt, their-gpt ,our-gpt,, ' })
      await harness.ann.call(connectionsRoutes.discover, { params })
      expect(await models()).toEqual(['our-gpt', 'their-gpt'])
      expect(provider.count('/v1/models')).toBe(0)

      const selection = { providerType: 'plugin', providerId: 'azure', model: 'our-gpt' } as const
      const found = await harness.connections.resolve('ann', selection)
      if ('unavailable' in found) throw new Error(found.unavailable)
      const turn = { model: 'our-gpt', system: null, messages: [], tools: [], options: {} }
      for await (const _ of found.model.ask(turn, AbortSignal.timeout(120_000)));
      const sent = provider.requests.at(-1)
      expect(sent).toMatchObject({ path: '/v1/chat/completions', model: 'our-gpt' })
      expect(sent?.headers['api-key']).toBe('key-of-ann')
    } finally {
      await harness.close()
      await provider.close()
    }
  })
})
