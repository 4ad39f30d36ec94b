/** What the parts of the area share. */
import type { AuditLog } from '../../platform/audit/index.ts'
import type { Jobs } from '../../platform/jobs/types.ts'
import type { Outbound } from '../../platform/outbound/types.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Publication } from '../notifications/index.ts'
import type { WebhookDeliveryStore } from './delivery-store.ts'
import type { StoredWebhook, WebhookStore } from './store.ts'

export interface WebhooksDeps extends Pick<Platform, 'announce' | 'clock' | 'database' | 'log' | 'vault'> {
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly audit: Pick<AuditLog, 'record'>
  /** To public addresses, and to private ones that administrators allow. */
  readonly outbound: Pick<Outbound, 'check' | 'request'>
  readonly accounts: {
    administratorIds(): Promise<readonly string[]>
    /** Whether it is there and not disabled. */
    isActive(accountId: string): Promise<boolean>
  }
  readonly publish: (publication: Publication) => Promise<void>
  /** Where people find this instance, without a slash at its end; null while nobody said. */
  readonly address: () => Promise<string | null>
}

export interface WebhookContext extends WebhooksDeps {
  readonly store: WebhookStore
  readonly deliveries: WebhookDeliveryStore
  readonly enqueue: Jobs['enqueue']
  /** Whether its owner may have anything done. */
  readonly mayAct: (webhook: StoredWebhook) => Promise<boolean>
  /** Tells everybody whom it concerns. */
  readonly wasTurnedOff: (webhook: StoredWebhook, reason: 'gone' | 'failing') => Promise<void>
}

/** Open pages of whoever sees these webhooks load them again. */
export const announceWebhooks = async (
  { accounts, announce }: Pick<WebhooksDeps, 'accounts' | 'announce'>,
  accountId: string | null,
): Promise<void> => {
  const ids = accountId === null ? await accounts.administratorIds() : [accountId]
  for (const id of ids) await announce(id, { type: 'webhooks-changed', data: {} })
}
