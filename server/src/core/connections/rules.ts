/** Decisions about connections, without I/O. */
import { createHash } from 'node:crypto'
import type { Selection } from '@atrium/contract/common'
import type { ErrorCode } from '@atrium/contract/errors'
import type { Connection, Model, ModelList } from '@atrium/contract/connections'
import type { Preferences } from '@atrium/contract/settings'
import { selectionKey } from '../settings/index.ts'
import { parseAddress } from '../../providers/route.ts'
import type { ProviderFailure } from '../../providers/types.ts'
import { labelsOf, modelsOf } from './catalogue/models.ts'
import { type ReadEnvironmentKey, isSignedIn, keyStateOf, missingKey, needsKey } from './keys.ts'
import { isConnectionVariable } from './definitions/routing.ts'
import type { AccountConnection, AccountSettings } from './types.ts'

/** Lower case with hyphens; a name without Latin letters and digits gives an id made of its digest. */
export function idFromName(name: string): string {
  const id = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
  return id || `c-${createHash('sha256').update(name.normalize('NFC')).digest('hex').slice(0, 12)}`
}

/**
 * The chat-completions address that was meant: a base that ends in a version (or in nothing) gets the usual path, a
 * model list's address is turned into its sibling; every other path is taken as it is. Throws a plain Error.
 */
export function chatUrlOf(written: string): string {
  const url = parseAddress(written)
  const path = url.pathname.replace(/\/+$/, '')
  if (path === '') url.pathname = '/v1/chat/completions'
  else if (/\/v\d+$/.test(path)) url.pathname = `${path}/chat/completions`
  else if (/\/(responses|embeddings|messages)$|(?<!\/chat)\/completions$/.test(path)) {
    throw new Error('This is the address of another format. Enter the one that ends in /chat/completions.')
  } else if (path.endsWith('/models')) url.pathname = `${path.slice(0, -'/models'.length)}/chat/completions`
  return url.href
}

export interface RefreshIntervals {
  readonly ttlMs: number
  readonly retryMs: number
}

/** Whether a catalogue should be refreshed in the background. `askable`: nothing prevents it. */
export function isDue(
  own: AccountSettings,
  now: number,
  { ttlMs, retryMs }: RefreshIntervals,
  askable: boolean,
): boolean {
  const { catalogue } = own
  if (catalogue === null) return true
  if (catalogue.outcome.outcome === 'missing_credentials') return askable
  if (catalogue.outcome.outcome === 'unavailable') return now - catalogue.checkedAt >= retryMs
  return now - catalogue.checkedAt >= ttlMs
}

export function toConnection(connection: AccountConnection, environment: ReadEnvironmentKey): Connection {
  const { installed, own } = connection
  const { definition } = installed
  const models = modelsOf(connection)
  const chat = models.filter((model) => model.kind === 'chat').length
  const { catalogue } = own
  const discoveredAt = catalogue?.discoveredAt ?? null
  return {
    id: definition.id,
    name: definition.name,
    source: installed.source,
    type: definition.type,
    endpoint: installed.route.url,
    active: own.activatedAt !== null,
    shared: own.shared,
    needsKey: needsKey(definition) && !isSignedIn(installed),
    hasKey: own.key !== null,
    keyState: keyStateOf(connection, environment),
    keyDetail: installed.route.fault ?? missingKey(connection, environment),
    keyEnding: own.key !== null && own.key.length >= 12 ? own.key.slice(-4) : null,
    signIn: isSignedIn(installed),
    local: installed.bundled?.local === true,
    capabilities: labelsOf(models),
    hasVariables: (definition.variables ?? []).some(({ name }) => !isConnectionVariable(definition, name)),
    modelCount: chat,
    otherCount: models.length - chat,
    discoveredAt: discoveredAt === null ? null : new Date(discoveredAt).toISOString(),
    lastOutcome: catalogue?.outcome ?? null,
  }
}

/** What an account wants new chats to start with: its default, and what it used, the last first. */
export type StartPreferences = Pick<Preferences, 'defaultModel' | 'recentModels'>

/**
 * The one rule for the model that a new chat starts with: the own default; else the one that was used last of those that
 * are there; else the default of the instance; else the first that is connected; else the built-in one, which is never taken for having been used: whoever
 * asked it before any model was connected wants the model. An own choice may be any of `items`; what is taken without
 * one is among `open`, the models that everybody sees.
 */
export function chooseFallback(
  items: readonly Model[],
  { defaultModel, recentModels }: StartPreferences,
  open: readonly Model[] = items,
  instanceDefault: Selection | null = null,
): ModelList['fallback'] {
  const own = defaultModel && items.find((model) => sameSelection(model.selection, defaultModel))
  if (own) return { selection: own.selection, because: 'own-default' }
  const connected = open.filter(isConnected)
  if (connected.length > 1) {
    const byKey = new Map(items.filter(isConnected).map(({ selection }) => [selectionKey(selection), selection]))
    const used = recentModels.map((key) => byKey.get(key)).find((selection) => selection !== undefined)
    if (used) return { selection: used, because: 'last-used' }
  }
  const given = instanceDefault && connected.find((model) => sameSelection(model.selection, instanceDefault))
  if (given && connected.length > 1) return { selection: given.selection, because: 'instance-default' }
  const [first] = connected.length > 0 ? connected : open
  if (!first) return null
  return { selection: first.selection, because: connected.length > 1 ? 'first-connected' : 'only-model' }
}

/** An agent acts on the server: a chat begins with one where its owner has chosen so, and never by itself. */
const isConnected = ({ selection: { providerType } }: Model): boolean =>
  providerType !== 'builtin' && providerType !== 'agent'

export const sameSelection = (a: Selection, b: Selection): boolean =>
  a.providerType === b.providerType && a.providerId === b.providerId && a.model === b.model

/** The refusal that a failure becomes where it answers a request directly. */
export function codeOf(failure: ProviderFailure): ErrorCode {
  switch (failure.kind) {
    case 'no_key':
      return 'api_key_needed'
    case 'over_budget':
      return 'over_budget'
    case 'unreachable':
    case 'timeout':
      return 'provider_unreachable'
    case 'rejected':
    case 'moderated':
    case 'overloaded':
      return 'provider_rejected'
    case 'context_overflow':
      return 'context_overflow'
    default:
      return 'provider_failed'
  }
}
