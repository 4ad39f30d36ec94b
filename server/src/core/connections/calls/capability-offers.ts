/** Which capabilities besides chat a connection has, and their endpoints. Pure. */
import type { RuntimeModel } from '@atrium/contract/local-runtime'
import {
  type Config,
  type FormatName,
  type FormattedCapability,
  mostSources,
} from '../../../providers/operations/index.ts'
import { withModel } from '../../../providers/route.ts'
import { modelLabels, modelsOf } from '../catalogue/models.ts'
import { type ReadEnvironmentKey, isSignedIn, missingKey } from '../keys.ts'
import { isChat } from '../catalogue/model-list.ts'
import { addressesOf, isConnectionVariable } from '../definitions/routing.ts'
import type { AccountConnection } from '../types.ts'
import { wireOf } from '../definitions/wire.ts'

/** One model of one provider, for one thing. */
export interface CapabilityModel {
  /** `local` for the local runtime. */
  readonly providerId: string
  readonly providerName: string
  readonly model: string
  /** The choices that the definition lists: sizes, voices, formats. */
  readonly config: Config
  /** Seconds since 1970, where the provider says when it was made. */
  readonly createdAt?: number | undefined
}

export const capabilityNames: Readonly<Record<FormattedCapability, string>> = {
  embedding: 'embeddings',
  image: 'images',
  tts: 'speech',
  stt: 'transcription',
  audio: 'sound',
  video: 'video',
}

/** What the provider listed, and what the definition names where nobody lists the capability's own models. */
export function modelsFor(connection: AccountConnection, capability: FormattedCapability): string[] {
  const { definition, route } = connection.installed
  const listed = modelsOf(connection).filter((model) => modelLabels(model).includes(capability))
  const hasList = route.capabilities[capability]?.modelsUrl
  const declared = hasList ? [] : (definition.capabilities?.[capability]?.model_map ?? [])
  return [...new Set([...listed.map(({ id }) => id), ...declared])]
}

/** Why nothing of this capability can be asked: its parts make no address, or a key is missing. */
export function unavailableReason(
  connection: AccountConnection,
  capability: FormattedCapability,
  environmentKey: ReadEnvironmentKey,
): string | null {
  if (isSignedIn(connection.installed)) return `This connection doesn’t support ${capabilityNames[capability]}.`
  if (connection.installed.route.fault !== null) return connection.installed.route.fault
  // A key that nobody has to have is still sent where there is one.
  return configOf(connection, capability)['no_auth_required'] === true ? null : missingKey(connection, environmentKey)
}

/**
 * The address of one call. A definition's own endpoint for the capability; for definitions of nothing else, their main
 * one; and for embeddings the neighbour of a chat route that is compatible, or Gemini's. Pictures, speech and transcriptions have no such
 * neighbour: what was connected for chat is asked for nothing of that.
 */
export function capabilityUrl(
  { installed }: AccountConnection,
  capability: FormattedCapability,
  model: string,
): string | null {
  const { definition, route } = installed
  const own = route.capabilities[capability]
  if (own) return withModel(own.url, model)
  if (definition.type === capability) return withModel(route.url, model)
  if (capability !== 'embedding') return null
  const wire = wireOf(installed)
  if (wire !== null && wire !== 'gemini' && !compatible.has(wire)) return null
  const found = wire === 'gemini' ? geminiNeighbour(route.url) : compatibleNeighbour(route.url)
  return found === route.url ? null : withModel(found, model)
}

const compatible: ReadonlySet<string> = new Set(['chat-completions', 'responses'])
const compatibleNeighbour = (route: string): string =>
  route.replace(/\/(chat\/completions|completions|responses)\/?(?=$|\?)/, '/embeddings')
const geminiNeighbour = (route: string): string =>
  route.replace(/:(stream)?generateContent(?=$|\?)/i, ':batchEmbedContents')

/**
 * The format that a capability is asked in: the one that the bundled definition of this id names, also where an installed
 * one stands in its place. Everything else speaks the common one.
 */
export function formatOf<N extends FormattedCapability>(
  { installed }: AccountConnection,
  capability: N,
): FormatName<N> {
  const named = installed.bundled?.formats?.[capability] as FormatName<N> | undefined
  const neighbour =
    capability === 'embedding' && wireOf(installed) === 'gemini' && !installed.route.capabilities.embedding
  return neighbour ? ('gemini' as FormatName<N>) : (named ?? ('common' as FormatName<N>))
}

/** The options of a capability, with the addresses among them as calls go there. */
function configOf({ installed }: AccountConnection, capability: FormattedCapability): Config {
  const { definition, route } = installed
  const config: Config = definition.capabilities?.[capability]?.config ?? {}
  return { ...config, ...route.capabilities[capability]?.named }
}

/** The origins that the definition names: those that may be asked, and shown its key. */
export const originsOf = ({ installed }: AccountConnection): string[] => [
  ...new Set(addressesOf(installed.route).flatMap((address) => URL.parse(address)?.origin ?? [])),
]

export const toCapabilityModel = (
  connection: AccountConnection,
  capability: FormattedCapability,
  model: string,
): CapabilityModel => ({
  providerId: connection.installed.definition.id,
  providerName: connection.installed.definition.name,
  model,
  config: configOf(connection, capability),
})

/** As models are listed: of those that draw, also from how many pictures they do, which their format may decide. */
export function toListableModel(
  connection: AccountConnection,
  capability: FormattedCapability,
  model: string,
): CapabilityModel {
  const { createdAt } = modelsOf(connection).find(({ id }) => id === model) ?? {}
  const about = { ...toCapabilityModel(connection, capability, model), createdAt }
  if (capability !== 'image') return about
  const most = mostSources(formatOf(connection, capability), about.config)
  return { ...about, config: { ...about.config, max_reference_images: most } }
}

/** Variables that the definition wants in the request itself. */
export function requestVariables({ installed, own }: AccountConnection, config: Config): Record<string, unknown> {
  const names = Array.isArray(config['request_variables']) ? config['request_variables'] : []
  const { variables = [] } = installed.definition
  return Object.fromEntries(
    variables
      .filter(({ name }) => names.includes(name))
      .map(({ name, default: preset }) => [name, own.values[name] ?? installed.values[name] ?? preset])
      .filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )
}

/** What is set for the variables of a definition that are no part of its addresses, for formats that know some by name. */
export function variablesOf({ installed, own }: AccountConnection): Record<string, unknown> {
  const { definition } = installed
  return Object.fromEntries(
    (definition.variables ?? [])
      .filter(({ name, sensitive }) => sensitive !== true && !isConnectionVariable(definition, name))
      .map(({ name, default: preset }) => [name, own.values[name] ?? preset]),
  )
}

export const isEmbeddingModel = (model: RuntimeModel): boolean =>
  model.capabilities.length > 0 ? model.capabilities.includes('embedding') : !isChat(model)
