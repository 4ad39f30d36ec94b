/** Which model of which connection a request means. */
import type { CapabilityModel, Connections, UsableCapability } from '../../core/connections/index.ts'
import { fail } from '../../platform/http/refusal.ts'

/** Refuses with `model_not_found` and `model_unavailable`; without a connection, the name must be unambiguous. */
export const resolveModel = async <N extends 'tts' | 'stt'>(
  connections: Pick<Connections, 'capability' | 'capabilityModels'>,
  accountId: string,
  capability: N,
  { model, pluginId }: { readonly model: string; readonly pluginId?: string | undefined },
): Promise<UsableCapability<N>> => {
  const providerId = pluginId ?? onlyProvider(await connections.capabilityModels(accountId, capability), model)
  const found = await connections.capability(accountId, capability, { providerId, model })
  if ('unavailable' in found) throw fail('model_unavailable', found.unavailable)
  return found.usable
}

const onlyProvider = (models: readonly CapabilityModel[], wanted: string): string => {
  const [first, ...others] = models.filter(({ model }) => model === wanted)
  if (!first) throw fail('model_not_found')
  if (others.length > 0)
    throw fail('validation_failed', undefined, [
      { path: 'body.pluginId', message: 'is needed: several connections have a model with this name' },
    ])
  return first.providerId
}
