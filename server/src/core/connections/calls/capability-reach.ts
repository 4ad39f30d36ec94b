/** Where, with which key and in which format a model of a connection is asked for something besides chat. */
import { Refusal } from '../../../platform/http/refusal.ts'
import { attributionHeaders } from '../../../providers/attribution.ts'
import type { FormatName, FormattedCapability } from '../../../providers/operations/index.ts'
import type { OperationCall } from '../../../providers/operations/route.ts'
import { keyFor, keyHeaders } from '../keys.ts'
import type { AccountConnection } from '../types.ts'
import {
  type CapabilityModel,
  capabilityNames,
  capabilityUrl,
  formatOf,
  modelsFor,
  originsOf,
  requestVariables,
  toCapabilityModel,
  unavailableReason,
  variablesOf,
} from './capability-offers.ts'
import { checkAddress, type EndpointDeps, toUnavailable } from './endpoint.ts'

/** All of a call but what is asked, and who counts it. */
export interface CapabilityReach<N extends FormattedCapability>
  extends Pick<OperationCall, 'url' | 'origins' | 'headers' | 'hasKey' | 'also' | 'variables'> {
  readonly format: FormatName<N>
}

export interface ReachedCapability<N extends FormattedCapability> {
  readonly connection: AccountConnection
  readonly about: CapabilityModel
  readonly reach: CapabilityReach<N>
}

/** The catalogue is asked for once more before a model is missing. */
export async function reachCapability<N extends FormattedCapability>(
  deps: EndpointDeps,
  accountId: string,
  capability: N,
  { providerId: id, model }: Pick<CapabilityModel, 'providerId' | 'model'>,
): Promise<ReachedCapability<N> | { readonly unavailable: string }> {
  let connection = await deps.store.one(accountId, id)
  if (!connection) return toUnavailable('This model’s connection was removed.')
  if (connection.own.activatedAt === null) return toUnavailable('This model’s connection is off.')
  const why = unavailableReason(connection, capability, deps.environmentKey)
  if (why !== null) return toUnavailable(why)
  if (!modelsFor(connection, capability).includes(model)) {
    await deps.discoverer.discover(accountId, id)
    connection = await deps.store.one(accountId, id)
  }
  if (!connection || !modelsFor(connection, capability).includes(model)) {
    return toUnavailable(`The provider lists no model with this name for ${capabilityNames[capability]}.`)
  }
  const route = capabilityUrl(connection, capability, model)
  if (route === null) return toUnavailable(`This connection doesn’t support ${capabilityNames[capability]}.`)
  const { definition, bundled } = connection.installed
  // The destination is judged before a key is chosen for it.
  const url = await checkAddress(deps, route)
  if (url instanceof Refusal) return toUnavailable(url.message)
  const about = toCapabilityModel(connection, capability, model)
  const key = keyFor(connection, deps.environmentKey)?.value ?? null
  const attribution = bundled ? attributionHeaders(bundled, url) : {}
  const reach = {
    url,
    origins: originsOf(connection),
    headers: { ...attribution, ...keyHeaders(definition, key) },
    hasKey: key !== null,
    also: requestVariables(connection, about.config),
    variables: variablesOf(connection),
    format: formatOf(connection, capability),
  }
  return { connection, about, reach }
}
