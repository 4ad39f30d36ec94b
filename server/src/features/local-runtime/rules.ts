/** Decisions about the local runtime, without I/O. */
import type { ModelDefaults, ModelDetails, ModelVisibility, ShownVisibility } from '@atrium/contract/local-runtime'
import { visibilityKey } from '../../core/connections/index.ts'
import { fail, type Refusal } from '../../platform/http/refusal.ts'
import { requireSoundAddress } from '../../platform/outbound/destination.ts'
import type { RuntimeProgress } from '../../providers/local-runtime.ts'
import { parseAddress } from '../../providers/route.ts'
import type { ProviderFailure } from '../../providers/types.ts'

/** Adds up the pieces of a download. Gives bytes so far, bytes in all as far as known, and what is being done. */
export function createTotals(): (progress: RuntimeProgress) => {
  current: number
  total: number | null
  message: string
} {
  const pieces = new Map<string, { completed: number; total: number }>()
  return ({ status, digest, completed, total }) => {
    if (digest !== null && total !== null) pieces.set(digest, { completed, total })
    const all = [...pieces.values()]
    return {
      current: all.reduce((sum, piece) => sum + piece.completed, 0),
      total: all.length > 0 ? all.reduce((sum, piece) => sum + piece.total, 0) : null,
      // Which piece it is says nothing to a person.
      message: /^pulling (?!manifest)/.test(status) ? 'pulling' : status,
    }
  }
}

/** The runtime's base address in its plain form. Refuses what is no such address, or may never be called. */
export function plainBaseUrl(written: string): string {
  const url = parsed(written)
  if (url.search !== '') throw invalid('a base address has no query')
  requireSoundAddress(written)
  return url.href.replace(/\/+$/, '')
}

function parsed(written: string): URL {
  try {
    return parseAddress(written)
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : 'this is no address')
  }
}

const invalid = (message: string): Refusal => fail('validation_failed', undefined, [{ path: 'body.baseUrl', message }])

/** The refusal that a fault of the runtime becomes. */
export function refusalOf(failure: ProviderFailure): Refusal {
  if (failure.kind === 'unreachable' || failure.kind === 'timeout') {
    return fail('provider_unreachable', failure.message.replace('The provider', 'The local runtime'))
  }
  if (failure.status === 404) return fail('model_not_found')
  return fail('provider_failed', failure.message.replace('The provider', 'The local runtime'))
}

/** The visibility settings without what is hidden from somebody, for accounts that are no administrators. */
export function forMembers(
  { order, starred, metadata, defaultModel }: ModelVisibility,
  isHidden: (key: string) => boolean,
): ModelVisibility {
  const open = (key: string): boolean => !isHidden(key)
  return {
    hidden: [],
    order: order.filter(open),
    starred: starred.filter(open),
    metadata: Object.fromEntries(Object.entries(metadata).filter(([key]) => open(key))),
    groups: {},
    defaultModel: defaultModel && open(visibilityKey(defaultModel)) ? defaultModel : null,
  }
}

/** The same with what the environment says in the place of the default model. */
export const shownVisibility = (visibility: ModelVisibility, fixedModel: string | undefined): ShownVisibility =>
  fixedModel === undefined
    ? visibility
    : { ...visibility, fixedDefault: { variable: 'DEFAULT_MODEL', model: fixedModel } }

/** Each key once, where it stood first. */
export const plainVisibility = ({
  hidden,
  order,
  starred,
  metadata,
  groups,
  defaultModel,
}: ModelVisibility): ModelVisibility => ({
  hidden: [...new Set(hidden)],
  order: [...new Set(order)],
  starred: [...new Set(starred)],
  metadata: Object.fromEntries(Object.entries(metadata).filter(([, { label }]) => label !== undefined)),
  groups: Object.fromEntries(Object.entries(groups).map(([key, ids]) => [key, [...new Set(ids)]])),
  defaultModel,
})

export const toDefaults = (shown: ModelDetails, maxContext: number): ModelDefaults => ({
  model: shown.name,
  options: shown.parameters,
  trainedContextLength: shown.contextWindow,
  contextCapped: shown.contextWindow !== null && shown.contextWindow > maxContext,
  capabilities: shown.capabilities,
  supportsThinking: shown.capabilities.includes('thinking'),
})
