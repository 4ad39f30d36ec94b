/** Handlers for what administrators decide about a connection for others: who has it, and the key that is kept for them. */
import type { ConnectionSharing, sharingRoutes } from '@atrium/contract/connections'
import { actorOf } from '../../platform/audit/index.ts'
import type { AnyTransaction } from '../../platform/db/types.ts'
import type { Context, Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { ConnectionContext } from './context.ts'
import { isForAdministrators, isSignedIn, isValidKey, servesOperatorsKey } from './keys.ts'
import { removeRequests } from './stores/requests.ts'
import type { InstalledDefinition } from './types.ts'

/** A shorter key would be given away by its ending. */
const shortestShown = 12

type Routes = Pick<typeof sharingRoutes, 'sharing' | 'saveSharing' | 'saveSharedKey' | 'removeSharedKey'>

export function sharingHandlers(deps: ConnectionContext): Handlers<Routes> {
  const { store, readConnection } = deps

  const show = async (callerId: string, installed: InstalledDefinition): Promise<ConnectionSharing> => {
    const { sharing, key } = await store.sharingOf(installed.definition.id)
    const names = await deps.groupNames(sharing.groupIds)
    return {
      mode: sharing.mode,
      groups: sharing.groupIds.flatMap((id) => {
        const name = names.get(id)
        return name === undefined ? [] : [{ id, name }]
      }),
      own: sharing.mode === 'private' && sharing.ownerId === callerId,
      key: {
        state: !takesSharedKey(installed)
          ? 'not-possible'
          : key === null
            ? 'none'
            : key.route === installed.fingerprint
              ? 'saved'
              : 'other-route',
        ending: key !== null && key.value.length >= shortestShown ? key.value.slice(-4) : null,
        savedAt: key === null ? null : new Date(key.savedAt).toISOString(),
      },
    }
  }

  /** The entry of the audit that is written with the change. */
  const auditOf =
    (context: Context, id: string, details: Record<string, string | number | boolean | string[] | null>) =>
    (trx: AnyTransaction): Promise<void> =>
      deps.audit.recordIn(trx, {
        ...actorOf(context),
        action: 'connection.share',
        target: { type: 'connection', id },
        details,
      })

  return {
    async sharing({ params: { id } }, { caller }) {
      return await show(caller.accountId, (await readConnection(caller.accountId, id)).installed)
    },

    async saveSharing({ params: { id }, body: { mode, groupIds = [] } }, context) {
      const { accountId } = context.caller
      const { installed } = await readConnection(accountId, id)
      if (isForAdministrators(installed) && mode !== 'private') throw fail('validation_failed', forAdministrators)
      const chosen = mode === 'groups' ? [...new Set(groupIds)] : []
      if (mode === 'groups' && chosen.length === 0) throw invalid('groupIds', 'choose at least one group')
      const known = await deps.groupNames(chosen)
      if (chosen.some((group) => !known.has(group))) throw fail('group_not_found')
      await store.saveSharing(
        id,
        { mode, ownerId: mode === 'private' ? accountId : null, groupIds: chosen },
        async (trx) => {
          await auditOf(context, id, { mode, groups: chosen })(trx)
          if (mode === 'everyone') await removeRequests(trx)
        },
      )
      await deps.announceModelsToAll()
      if (mode === 'everyone') await deps.announceRequests(null)
      return await show(accountId, installed)
    },

    async saveSharedKey({ params: { id }, body: { apiKey } }, context) {
      const { accountId } = context.caller
      const { installed } = await readConnection(accountId, id)
      if (!takesSharedKey(installed)) throw invalid('apiKey', ownKeysOnly)
      if (!isValidKey(apiKey)) throw invalid('apiKey', 'it holds characters that no key has')
      await store.saveSharedKey(installed, apiKey, auditOf(context, id, { key: 'saved' }))
      await deps.announceModelsToAll()
      return await show(accountId, installed)
    },

    async removeSharedKey({ params: { id } }, context) {
      const { accountId } = context.caller
      const { installed } = await readConnection(accountId, id)
      await store.removeSharedKey(id, auditOf(context, id, { key: 'deleted' }))
      await deps.announceModelsToAll()
      return await show(accountId, installed)
    },
  }
}

/** Only a place that Atrium itself names may get a key that its sender never saw. */
const takesSharedKey = (installed: InstalledDefinition): boolean =>
  installed.definition.auth.header !== '' && !isSignedIn(installed) && servesOperatorsKey(installed)

const forAdministrators = 'This connection uses the server’s own sign-in, which is for administrators.'
const ownKeysOnly = 'a key can be kept for everybody only for a connection that comes with Atrium, at its own address'

const invalid = (field: string, message: string) =>
  fail('validation_failed', undefined, [{ path: `body.${field}`, message }])
