/** What the area needs of others. */
import type { Access } from '../../core/access/index.ts'
import type { UsableModel } from '../../core/generation/index.ts'
import type { Notifications } from '../../core/notifications/index.ts'
import type { Platform } from '../../platform/platform.ts'

export interface CalendarDeps
  extends Pick<Platform, 'announce' | 'clock' | 'database' | 'indexes' | 'outbound' | 'vault'> {
  readonly access: Access
  readonly notifications: Pick<Notifications, 'publisher' | 'preferencesOf'>
  /** Whether an account may sign in. */
  readonly isActive: (accountId: string) => Promise<boolean>
  /** Where the instance is reached; null where nobody said. */
  readonly address: () => Promise<string | null>
  /** The id of the active account of a user name; null where there is none. */
  readonly accountByUsername: (username: string) => Promise<string | null>
  /** What accounts are called, by id. */
  readonly namesOf: (accountIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** The model that an account’s chats begin with; null: there is none, or it cannot be asked now. */
  readonly defaultModel: (accountId: string) => Promise<UsableModel | null>
  /** The time zone that an account set; null: it has that of its device. */
  readonly zoneOf: (accountId: string) => Promise<string | null>
}
