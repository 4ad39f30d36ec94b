/** What to do about a job that failed, by the code of its failure; the words stand under `advice`. */
export type Advice =
  | 'account'
  | 'backups'
  | 'budget'
  | 'document'
  | 'log'
  | 'lost'
  | 'mail'
  | 'model'
  | 'provider'
  | 'space'
  | 'speech'
  | 'timeout'
  | 'version'

const adviceByCode: Readonly<Record<string, Advice>> = {
  account_inactive: 'account',
  backup_failed: 'backups',
  backup_no_destination: 'backups',
  drill_failed: 'backups',
  over_budget: 'budget',
  budget_exceeded: 'budget',
  document_cancelled: 'document',
  document_damaged: 'document',
  document_empty: 'document',
  document_encrypted: 'document',
  document_mismatch: 'document',
  document_needs_vision: 'document',
  document_no_text: 'document',
  document_too_complex: 'document',
  document_unsupported: 'document',
  document_internal: 'log',
  internal: 'log',
  worker_lost: 'lost',
  mail_failed: 'mail',
  model_not_found: 'model',
  model_unavailable: 'model',
  document_vision_failed: 'model',
  embedding_failed: 'model',
  provider_failed: 'provider',
  provider_not_configured: 'provider',
  provider_rejected: 'provider',
  provider_unreachable: 'provider',
  quota_full: 'space',
  storage_full: 'space',
  too_large: 'space',
  document_needs_speech: 'speech',
  document_speech_failed: 'speech',
  document_speech_not_allowed: 'speech',
  document_timeout: 'timeout',
  timeout: 'timeout',
  payload_invalid: 'version',
}

/** For a code that is not in the list: what is right for any. */
export const adviceOf = (code: string): Advice => adviceByCode[code] ?? 'log'

export const hasAdvice = (code: string): boolean => code in adviceByCode
