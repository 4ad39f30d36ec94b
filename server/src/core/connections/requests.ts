/** Handlers for accounts without a model: they ask the administrators for one, who see who waits. */
import type { sharingRoutes, ModelRequest } from '@atrium/contract/connections'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { ConnectionContext } from './context.ts'

const mostNames = 5

type RequestRoutes = Pick<
  typeof sharingRoutes,
  'modelRequest' | 'requestModel' | 'modelRequests' | 'dismissModelRequest'
>

export function requestHandlers(deps: ConnectionContext): Handlers<RequestRoutes> {
  const { store, accountNames } = deps

  const namesOf = async (ids: readonly string[]): Promise<string[]> => {
    const names = await accountNames(ids)
    return ids.flatMap((id) => names.get(id) ?? [])
  }
  const show = async (accountId: string): Promise<ModelRequest> => {
    const at = await store.requestedAt(accountId)
    const administrators = await namesOf((await deps.administratorIds()).slice(0, mostNames))
    return { requestedAt: at === null ? null : new Date(at).toISOString(), administrators }
  }

  return {
    modelRequest: (_input, { caller }) => show(caller.accountId),

    async requestModel(_input, { caller }) {
      if (await store.addRequest(caller.accountId)) {
        const [name = null] = await namesOf([caller.accountId])
        await deps.announceRequests(name)
      }
      return await show(caller.accountId)
    },

    async modelRequests() {
      const rows = await store.requests()
      const names = await accountNames(rows.map(({ accountId }) => accountId))
      const items = rows.flatMap(({ accountId, requestedAt }) => {
        const name = names.get(accountId)
        return name === undefined ? [] : [{ accountId, name, requestedAt: new Date(requestedAt).toISOString() }]
      })
      return { items, nextCursor: null }
    },

    async dismissModelRequest({ params: { accountId } }) {
      if (!(await store.removeRequest(accountId))) throw fail('user_not_found')
      await deps.announceRequests(null)
      return {}
    },
  }
}
