/** Alerts as notifications of administrators: told when they begin, and taken back when they are over. */
import type { Database } from '../../platform/db/types.ts'
import type { Notifications } from '../../core/notifications/index.ts'
import type { KeyedAlert } from './alerts.ts'

export interface AlertNoticesDeps {
  readonly administratorIds: () => Promise<readonly string[]>
  readonly database: Database
  readonly notifications: Pick<Notifications, 'publisher'>
}

/** The same alert once more is told once. */
export const createAlertNotices =
  ({ administratorIds, database, notifications }: AlertNoticesDeps) =>
  async (begun: readonly KeyedAlert[], ended: readonly KeyedAlert[]): Promise<void> => {
    const accountIds = begun.length === 0 ? [] : await administratorIds()
    const publisher = await notifications.publisher(accountIds)
    await database.write(async (trx) => {
      if (ended.length > 0) await publisher.withdraw(trx, { sourceKeys: ended.map(sourceOf) })
      for (const alert of begun) {
        const { id: check, host, status, message } = alert
        const content = { kind: 'alert', facts: { check, host, status, message } } as const
        for (const accountId of accountIds)
          await publisher.publish(trx, { accountId, sourceKey: sourceOf(alert), ...content })
      }
    })
    await publisher.tell()
  }

const sourceOf = ({ key, since }: KeyedAlert): string => `alert:${key}:${since}`
