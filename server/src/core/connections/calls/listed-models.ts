/** Models for something else than chat, as pages and programs are told of them. Pure. */
import type { CapabilityModel } from './capability-offers.ts'

/** One model of one connection, with the choices that its definition lists. */
export const toListedModel = ({ model, providerId, providerName, config }: CapabilityModel) => ({
  model,
  pluginId: providerId,
  pluginName: providerName,
  config: { ...config },
})

/** The connections that have such models, in the order of these, each with its models and the choices of its first one. */
export const toListedPlugins = (models: readonly CapabilityModel[]) =>
  [...Map.groupBy(models, ({ providerId }) => providerId)].map(([id, own]) => ({
    id,
    name: own[0]?.providerName ?? id,
    models: own.map(({ model }) => model),
    config: { ...own[0]?.config },
  }))
