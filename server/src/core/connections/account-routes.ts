/** Handlers for an account's settings of a connection: activation, key, values, catalogue, test. */
import type { ownRoutes } from '@atrium/contract/connections'
import { actorOf } from '../../platform/audit/index.ts'
import type { AnyTransaction } from '../../platform/db/types.ts'
import type { Context, Frame, Handlers } from '../../platform/http/area.ts'
import { fail, Refusal } from '../../platform/http/refusal.ts'
import { hostAndPort } from '../../platform/outbound/destination.ts'
import { toCatalogueModels } from './catalogue/models.ts'
import { keyStateOf, isSignedIn, missingCredential, isValidKey } from './keys.ts'
import { resolveConnectionEndpoint } from './calls/endpoint.ts'
import type { ConnectionContext } from './context.ts'
import { toUsableModel } from './calls/resolve.ts'
import { addressesOf } from './definitions/routing.ts'
import { toConnection } from './rules.ts'
import { tryConnection } from './setup/trial.ts'
import type { AccountConnection } from './types.ts'
import { changeValues, showValues, touchesConnection } from './definitions/variables.ts'

/** The most field names that an answer lists. */
const mostFields = 32

export function accountHandlers(deps: ConnectionContext): Handlers<typeof ownRoutes> {
  const { store, readConnection, announceModels, announceModelsToAll, environmentKey, outbound } = deps
  const toOwn = (connection: AccountConnection) => toConnection(connection, environmentKey)

  /** Refreshes the models and returns the connection as it is then. */
  const discoverModels = async (accountId: string, id: string) => {
    const discovery = await deps.discoverer.discover(accountId, id)
    return { connection: toOwn(await readConnection(accountId, id)), discovery }
  }

  const isRefused = async (address: string): Promise<Refusal | null> => {
    try {
      await outbound.check(address)
      return null
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
  }

  /** Those of the addresses that would have to be allowed, or what refuses one. */
  const allowances = async (addresses: readonly string[]) => {
    const places = new Set<string>()
    for (const address of addresses) if (await isRefused(address)) places.add(hostAndPort(address))
    return await Promise.all([...places].map(async (place) => ({ place, ...(await deps.allowAddress(place)) })))
  }

  /** What the audit says of a change that holds for everybody; a member's own values are their own business. */
  const changeOf = (context: Context, id: string, route: string, fields: readonly string[]) => ({
    ...actorOf(context),
    action: 'definition.update' as const,
    target: { type: 'definition', id },
    details: { route, fields: fields.slice(0, mostFields) },
  })

  return {
    async activate({ params: { id } }, { caller }) {
      await readConnection(caller.accountId, id)
      await store.activate(caller.accountId, id)
      await announceModels(caller.accountId)
      return await discoverModels(caller.accountId, id)
    },

    async deactivate({ params: { id } }, { caller }) {
      await readConnection(caller.accountId, id)
      await store.deactivate(caller.accountId, [id])
      await announceModels(caller.accountId)
      return toOwn(await readConnection(caller.accountId, id))
    },

    async deactivateAll(_input, { caller }) {
      const active = await store.active(caller.accountId)
      await store.deactivate(
        caller.accountId,
        active.map(({ installed }) => installed.definition.id),
      )
      await announceModels(caller.accountId)
      return {}
    },

    async discover({ params: { id } }, { caller }) {
      await readConnection(caller.accountId, id)
      return await discoverModels(caller.accountId, id)
    },

    async catalogue({ params: { id } }, { caller }) {
      const connection = await readConnection(caller.accountId, id)
      return { items: toCatalogueModels(connection, deps.priceOf), nextCursor: null }
    },

    async test({ params: { id }, body }, { caller, signal }) {
      const connection = await readConnection(caller.accountId, id)
      const resolve = async (model: string) => {
        const found = await resolveConnectionEndpoint(deps, await readConnection(caller.accountId, id), model)
        return 'unavailable' in found ? found : toUsableModel(deps, caller.accountId, found)
      }
      return numberEvents(tryConnection({ ...deps, resolve }, connection, body.model, signal))
    },

    async keys(_input, { caller }) {
      const visible = new Set((await store.all(caller.accountId)).map(({ installed }) => installed.definition.id))
      const items = (await store.keysOf(caller.accountId))
        .filter((key) => visible.has(key.id))
        .map((key) => ({ pluginId: key.id, hasApiKey: true, updatedAt: new Date(key.savedAt).toISOString() }))
      return { items, nextCursor: null }
    },

    async saveKey({ params: { id }, body: { apiKey } }, { caller }) {
      const { installed } = await readConnection(caller.accountId, id)
      const invalidKey = (message: string) => fail('validation_failed', undefined, [{ path: 'body.apiKey', message }])
      if (isSignedIn(installed)) throw invalidKey('this connection is entered by the server’s own sign-in')
      if (installed.definition.auth.header === '') throw invalidKey('this connection takes no key')
      if (!isValidKey(apiKey)) throw invalidKey('it holds characters that no key has')
      await store.saveKey(caller.accountId, installed, apiKey)
      await announceModels(caller.accountId)
      return await discoverModels(caller.accountId, id)
    },

    async removeKey({ params: { id } }, { caller }) {
      await readConnection(caller.accountId, id)
      await store.removeKey(caller.accountId, id)
      await announceModels(caller.accountId)
      return toOwn(await readConnection(caller.accountId, id))
    },

    async checkKey({ params: { id } }, { caller }) {
      const connection = await readConnection(caller.accountId, id)
      const signIn = isSignedIn(connection.installed) ? await deps.signIn?.available() : undefined
      const detail = signIn ? signIn.detail : missingCredential(connection, environmentKey)
      const usableNow = signIn ? signIn.state === 'signed-in' || signIn.state === 'refreshing' : detail === null
      return { usable: usableNow, state: keyStateOf(connection, environmentKey), detail }
    },

    async variables({ params: { id } }, { caller }) {
      return showValues(await readConnection(caller.accountId, id), caller.role === 'admin')
    },

    async saveVariables({ params: { id }, body }, context) {
      const { caller } = context
      const names = [
        ...Object.keys(body.variables),
        ...(body.unset ?? []),
        ...(body.allowPrivate ? ['allowPrivate'] : []),
      ]
      const entry = changeOf(context, id, 'PUT /api/plugins/{id}/variables', names)
      const connection = await readConnection(caller.accountId, id)
      const mayConnect = caller.role === 'admin'
      if (!mayConnect && (body.allowPrivate || touchesConnection(connection.installed, body))) {
        await deps.audit.record({ ...entry, result: 'denied' })
        throw fail('forbidden', 'Only administrators can change a connection’s address.')
      }
      const change = changeValues(connection, body)
      if ('faults' in change) throw fail('validation_failed', undefined, [...change.faults])
      if (change.instanceChanged) {
        if (!body.allowPrivate) for (const address of change.addresses) await outbound.check(address)
        const allowed = body.allowPrivate ? await allowances(change.addresses) : []
        await store.saveInstanceValues(id, change.instance, async (trx: AnyTransaction) => {
          for (const { write } of allowed) await write(trx)
          await deps.audit.recordIn(trx, entry)
        })
        for (const { written } of allowed) await written()
      }
      await store.saveOwnValues(caller.accountId, id, change.own)
      await (change.instanceChanged ? announceModelsToAll() : announceModels(caller.accountId))
      return showValues(await readConnection(caller.accountId, id), mayConnect)
    },

    async resetVariables({ params: { id } }, context) {
      const { caller } = context
      const { installed } = await readConnection(caller.accountId, id)
      await store.saveOwnValues(caller.accountId, id, {})
      const saved = Object.keys(installed.values).length > 0 || !installed.route.unmoved
      const moved = caller.role === 'admin' && saved
      const entry = changeOf(context, id, 'DELETE /api/plugins/{id}/variables', Object.keys(installed.values))
      if (moved) await store.saveInstanceValues(id, {}, (trx) => deps.audit.recordIn(trx, entry))
      await (moved ? announceModelsToAll() : announceModels(caller.accountId))
      return showValues(await readConnection(caller.accountId, id), caller.role === 'admin')
    },

    async allowPlugin({ params: { id } }, { caller }) {
      const { route } = (await readConnection(caller.accountId, id)).installed
      if (route.fault !== null) throw fail('url_not_allowed', route.fault)
      const allowed = await allowances(addressesOf(route).map((address) => address.replaceAll(/\{\w+\}/g, 'x')))
      if (allowed.length > 0)
        await store.inOneStep(async (trx) => {
          for (const { write } of allowed) await write(trx)
        })
      for (const { written } of allowed) await written()
      await announceModelsToAll()
      return { allowed: allowed.map(({ place }) => place) }
    },
  }
}

/** Counts events from 1. */
export async function* numberEvents<E>(events: AsyncIterable<E>): AsyncIterable<Frame<E>> {
  let seq = 0
  for await (const event of events) yield { seq: (seq += 1), event }
}
