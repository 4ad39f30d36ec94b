/** Classes of failed calls, as reports count them. */
import type { ErrorClass } from '@atrium/contract/usage'
import { ProviderFailure, type ProviderFailureKind } from './types.ts'

/** Takes what a call failed with; gives its class, `internal` for what is no failure of a provider. */
export function errorClassOf(error: unknown): Exclude<ErrorClass, 'unknown'> {
  if (!(error instanceof ProviderFailure)) return 'internal'
  if (error.kind !== 'rejected') return classes[error.kind]
  if (error.status === 401 || error.status === 403) return 'auth'
  return error.status !== null && error.status < 500 ? 'request' : 'upstream'
}

const classes: Readonly<Record<Exclude<ProviderFailureKind, 'rejected'>, Exclude<ErrorClass, 'unknown'>>> = {
  no_key: 'auth',
  overloaded: 'rate',
  timeout: 'timeout',
  unreachable: 'network',
  redirected: 'network',
  context_overflow: 'context',
  malformed: 'answer',
  too_large: 'answer',
  moderated: 'request',
  over_budget: 'internal',
  aborted: 'internal',
}
