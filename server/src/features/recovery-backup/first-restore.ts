/**
 * A restore over the first-run page: whoever could make the first account may bring an instance back instead. What is sent
 * is proved by the key that opens it; here it is only taken in, and only while there is no account.
 */
import type { firstRestoreRoutes, FirstRestore } from '@atrium/contract/recovery-backup'
import { isObjectName } from '../../platform/backups/destinations/destination.ts'
import type { FirstRestorer } from '../../platform/backups/first-restore.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'

export interface FirstRestoreDeps {
  /** null where the process cannot begin anew with another database. */
  readonly restorer: FirstRestorer | null
  readonly hasUsers: () => Promise<boolean>
}

const unavailable: FirstRestore = { state: 'unavailable', step: null, rows: 0, reason: null, wrongGroups: [] }

export const firstRestoreHandlers = ({ restorer, hasUsers }: FirstRestoreDeps): Handlers<typeof firstRestoreRoutes> => {
  /** Refuses with `first_restore_unavailable`, and with `first_restore_running` while it is too late to change anything. */
  const requireIdle = async (): Promise<FirstRestorer> => {
    if (!restorer) throw fail('first_restore_unavailable')
    const isTaken = await hasUsers()
    // Looked at last: of two who ask at the same moment, one begins.
    const { state } = restorer.state()
    const isUnderWay = state === 'running' || state === 'restored' || restorer.isBusy()
    if (isTaken) {
      // What was sent until somebody made an account is of no use.
      if (!isUnderWay) await restorer.drop()
      throw fail('first_restore_unavailable')
    }
    if (isUnderWay) throw fail('first_restore_running')
    return restorer
  }
  return {
    firstRestore: async () => (!restorer || (await hasUsers()) ? unavailable : restorer.state()),

    async sendBackupObject({ query: { name }, file }) {
      await requireIdle()
      if (!/^[0-9a-f]{16}\//.test(name) || !isObjectName(name))
        throw fail('validation_failed', 'This isn’t the name of a backup file.')
      const bytes = await file.bytes()
      // It may have taken a while.
      await (await requireIdle()).receive(name, bytes)
      return {}
    },

    async listSentBackups({ body: { key } }) {
      const list = await (await requireIdle()).list(key)
      if (!('backups' in list)) return { items: [], reason: list.reason, wrongGroups: list.wrongGroups }
      const items = list.backups.map(({ id, createdAt }) => ({ id, createdAt: new Date(createdAt).toISOString() }))
      return { items, reason: null, wrongGroups: [] }
    },

    async beginFirstRestore({ body: { key, backupId = null } }) {
      const idle = await requireIdle()
      idle.begin(key, backupId)
      return idle.state()
    },

    async dropFirstRestore() {
      await (await requireIdle()).drop()
      return {}
    },
  }
}
