/** Decisions about the local runtime, without I/O. */
import { fail, type Refusal } from '../../platform/http/refusal.ts'
import { reachOfHost } from '../../platform/outbound/destination.ts'
import type { PullProgress } from '../../providers/local-runtime.ts'
import { absolute } from '../../providers/route.ts'
import type { ProviderFailure } from '../../providers/types.ts'

/** Adds up the pieces of a download. Gives bytes so far, bytes in all as far as known, and what is being done. */
export function createTotals(): (progress: PullProgress) => { current: number; total: number | null; message: string } {
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
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  if (reachOfHost(`${url.hostname}:${port}`) === 'never') throw fail('url_not_allowed')
  return url.href.replace(/\/+$/, '')
}

function parsed(written: string): URL {
  try {
    return absolute(written)
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
