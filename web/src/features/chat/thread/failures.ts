/** Whose fault a failed answer is, and what can be done about it. */

export type Blame = 'key' | 'provider' | 'refusal' | 'network' | 'server' | 'request' | 'policy' | 'budget'
export type Remedy = 'retry' | 'model' | 'connections' | 'compact' | 'budgets'

export interface Diagnosis {
  readonly blame: Blame
  readonly remedies: readonly Remedy[]
}

/** From the code of a failure; an unknown code is taken for a fault of the provider. */
export function diagnose(code: string): Diagnosis {
  return known[code] ?? { blame: 'provider', remedies: ['retry', 'model'] }
}

const known: Record<string, Diagnosis> = {
  api_key_needed: { blame: 'key', remedies: ['connections', 'retry', 'model'] },
  provider_rejected: { blame: 'refusal', remedies: ['retry', 'model', 'connections'] },
  provider_unreachable: { blame: 'network', remedies: ['retry', 'connections', 'model'] },
  provider_failed: { blame: 'provider', remedies: ['retry', 'model'] },
  provider_not_configured: { blame: 'key', remedies: ['connections'] },
  model_unavailable: { blame: 'provider', remedies: ['model', 'connections'] },
  url_not_allowed: { blame: 'request', remedies: ['connections'] },
  context_overflow: { blame: 'request', remedies: ['compact', 'model'] },
  content_filter: { blame: 'policy', remedies: ['retry', 'model'] },
  over_budget: { blame: 'budget', remedies: ['budgets', 'model', 'retry'] },
  cost_limit: { blame: 'budget', remedies: ['model', 'retry'] },
  rate_limited: { blame: 'provider', remedies: ['retry', 'model'] },
  internal: { blame: 'server', remedies: ['retry'] },
  media_moderated: { blame: 'policy', remedies: ['retry', 'model'] },
  quota_full: { blame: 'request', remedies: [] },
  storage_full: { blame: 'server', remedies: [] },
  unavailable: { blame: 'server', remedies: ['retry'] },
}
