/** What is told of the audit. */
import { auditActions } from '@atrium/contract/audit'
import { defineCounter } from '../metrics/definition.ts'
import type { Metrics } from '../metrics/index.ts'
import type { AuditEntry } from './types.ts'

export const auditMetrics = {
  audit_refusals_total: defineCounter('Audited actions that were refused or failed; `auth.login` counts sign-ins', {
    labels: { action: { about: 'an action of the audit', values: auditActions } },
  }),
}

/** Gives what is told of each entry. */
export const createAuditRecorder = (metrics: Metrics) => {
  const { audit_refusals_total } = metrics.bind(auditMetrics)
  return ({ action, result }: Pick<AuditEntry, 'action' | 'result'>): void => {
    if (result !== undefined && result !== 'success') audit_refusals_total({ action })
  }
}
