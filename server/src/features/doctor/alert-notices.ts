/** Alerts as notifications of administrators: told when they begin, and taken back when they are over. */
import type { Database } from '../../platform/db/types.ts'
import type { Notifications } from '../../core/notifications/index.ts'
import type { KeyedAlert } from './alerts.ts'

interface AlertNoticesDeps {
  readonly administratorIds: () => Promise<readonly string[]>
  readonly database: Database
  readonly notifications: Pick<Notifications, 'publisher'>
}

/** The same alert once more is told once. */
export const createAlertNotices =
  ({ administratorIds, database, notifications }: AlertNoticesDeps) =>
  async (begun: readonly KeyedAlert[], endedKeys: readonly string[]): Promise<void> => {
    const accountIds = begun.length === 0 ? [] : await administratorIds()
    const publisher = await notifications.publisher(accountIds)
    await database.write(async (trx) => {
      if (endedKeys.length > 0) await publisher.withdraw(trx, { about: endedKeys.map(aboutOf) })
      for (const alert of begun) {
        const { id: check, host, status, message } = alert
        const content = { kind: 'alert', facts: { check, host, status, message } } as const
        for (const accountId of accountIds)
          await publisher.publish(trx, { accountId, sourceKey: sourceOf(alert), about: aboutOf(alert.key), ...content })
      }
    })
    await publisher.tell()
  }

const sourceOf = ({ key, since }: KeyedAlert): string => `alert:${key}:${since}`
const aboutOf = (key: string): string => `alert:${key}`
