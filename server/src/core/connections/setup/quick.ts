/** Connects an address in one step, all or nothing. */
import { Definition, type Discovery } from '@atrium/contract/connections'
import type { AnyTransaction } from '../../../platform/db/types.ts'
import { fail, Refusal } from '../../../platform/http/refusal.ts'
import { hostAndPort, requireSoundAddress } from '../../../platform/outbound/destination.ts'
import type { Outbound } from '../../../platform/outbound/types.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type ListedModel, readModelList, soundId } from '../../../providers/model-list.ts'
import { exchange } from '../../../providers/exchange.ts'
import { modelsUrlOf } from '../../../providers/route.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import { compareModelLists } from '../catalogue/models.ts'
import { largestList } from '../catalogue/discovery.ts'
import { keyHeaders, isValidKey } from '../keys.ts'
import { quickDefinition } from '../definitions/quick-definition.ts'
import { chatUrlOf, codeOf, idFromName } from '../rules.ts'
import type { ConnectionStore } from '../stores/index.ts'

export interface QuickDeps extends Pick<Platform, 'outbound'> {
  readonly store: ConnectionStore
  /** Ids that Atrium's own definitions have. */
  readonly reservedIds: ReadonlySet<string>
  /** A gate that lets through the operator's list and exactly these `host:port` pairs; closed after use. */
  readonly openGate: (also: readonly string[]) => Outbound
  /** Prepares to put a private address on the operator's list, inside the step's own transaction. */
  readonly allowAddress: (hostAndPort: string) => Promise<{
    write(trx: AnyTransaction): Promise<void>
    written(): Promise<void>
  }>
}

export interface QuickInput {
  readonly name: string
  readonly url: string
  readonly apiKey?: string | undefined
  readonly allowPrivate?: boolean | undefined
  /** The models that it has, where it cannot be asked for them. */
  readonly models?: readonly string[] | undefined
}

/**
 * The provider is asked for its models first; only an answer that lists some is stored, all in one transaction.
 * An endpoint that lists nothing is refused, unless the models are named: its connection could offer no model, and so
 * would be half-made. One that cannot be reached is refused in any case.
 */
export async function connectQuickly(deps: QuickDeps, accountId: string, input: QuickInput) {
  const derived = idFromName(input.name)
  // A definition under an id of Atrium's own is asked in that provider's format, and this one uses chat completions.
  const id = deps.reservedIds.has(derived) ? `${derived}-custom` : derived
  const url = readUrl(input.url)
  requireKey(input.apiKey)
  if (await deps.store.isInstalled(id)) throw fail('plugin_exists')
  const key = input.apiKey ?? null
  const sound = checkDefinition({ ...quickDefinition(input.name, url, key !== null, ['x']), id })
  const place = hostAndPort(url)
  const widen = input.allowPrivate === true && (await isRefused(deps.outbound, url))
  const gate = widen ? deps.openGate([place]) : deps.outbound
  try {
    const found = await probeOrTake(gate, url, key, input.models)
    const allowance = widen ? await deps.allowAddress(place) : null
    const definition = { ...sound, model_map: found.ids }
    const also = async (trx: AnyTransaction) => allowance?.write(trx)
    await deps.store.installWhole(accountId, definition, { key, models: found.models, outcome: found.outcome, also })
    await allowance?.written()
    return { id, outcome: found.outcome }
  } finally {
    if (widen) await gate.close()
  }
}

interface FoundModels {
  readonly ids: string[]
  /** null: they are named by hand, and nothing was listed. */
  readonly models: readonly ListedModel[] | null
  readonly outcome: Discovery
}

/** The provider's list; where it gives none, the models that were named. */
async function probeOrTake(
  gate: Outbound,
  url: string,
  key: string | null,
  named: readonly string[] = [],
): Promise<FoundModels> {
  const ids = [...new Set(named)]
  if (!ids.every(soundId))
    throw invalid('models', 'a model id has no spaces around it, no line breaks and no backslash')
  try {
    const models = await probe(gate, url, key)
    return { ids: models.map(({ id }) => id), models, outcome: compareModelLists(null, models) }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    if (ids.length === 0 || isAway(error)) throw fail(codeOf(error), error.message)
    return { ids, models: null, outcome: { outcome: 'unavailable', reason: error.message } }
  }
}

const isAway = ({ kind }: ProviderFailure): boolean => kind === 'unreachable' || kind === 'timeout'

/** Refuses with `validation_failed` what no header can carry. */
export function requireKey(key: string | undefined): void {
  if (key !== undefined && !isValidKey(key)) throw invalid('apiKey', 'it holds characters that no key has')
}

/** What was made of a name and an address, once it is sure that it can be stored and read again. */
export function checkDefinition(made: Definition): Definition {
  const { success, error } = Definition.safeParse(made)
  if (success) return made
  const { path, message } = error.issues[0] ?? { path: [], message: 'it cannot be stored' }
  throw invalid(path[0] === 'endpoint' ? 'url' : 'name', message)
}

/** The chat-completions address that was meant. Refuses with `validation_failed` what is no address. */
export function readUrl(written: string): string {
  try {
    const url = chatUrlOf(written)
    // Read on, odd writing would look plain.
    requireSoundAddress(written)
    return url
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw invalid('url', error instanceof Error ? error.message : 'this is no address')
  }
}

/** Throws ProviderFailure; refuses with `url_not_allowed`. */
async function probe(gate: Outbound, url: string, key: string | null): Promise<ListedModel[]> {
  // Both destinations are judged before the key is put to use.
  await gate.check(url)
  const modelsUrl = await gate.check(modelsUrlOf(url))
  const headers = keyHeaders(quickDefinition('x', url, key !== null, ['x']), key)
  const limits = { timeoutMs: 10_000, maxBytes: largestList }
  return readModelList(
    await exchange(gate, { method: 'GET', url: modelsUrl, headers, hasKey: key !== null, ...limits }),
  )
}

/** Whether the outbound gate refuses the address, so that it has to be allowed first. */
export async function isRefused(outbound: Outbound, url: string): Promise<boolean> {
  try {
    await outbound.check(url)
    return false
  } catch (error) {
    if (error instanceof Refusal) return true
    throw error
  }
}

const invalid = (field: string, message: string): Refusal =>
  fail('validation_failed', undefined, [{ path: `body.${field}`, message }])
