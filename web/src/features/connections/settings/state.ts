/** What the page knows of connections, and how an answer about one finds its way into it. */
import { type Connection, type Discovery, connectionsRoutes, type Plugin } from '@atrium/contract/connections'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { keyOf, queryClient, queryOf, refresh } from '../../../api/query.ts'
import { announce } from '../../../lib/announce.ts'
import { i18n } from '../../../lib/texts.ts'

/** What the routes answer that look at the provider. */
export interface CatalogueCheck {
  connection: Connection
  discovery: Discovery
}

export const connectionsQuery = queryOf(connectionsRoutes.connections)
export const pluginsQuery = queryOf(connectionsRoutes.plugins)

/** One connection; undefined while it is loaded, null where this account does not use it (yet). */
export function useConnection(id: string): Connection | null | undefined {
  const { data } = useQuery(connectionsQuery)
  return data && (data.items.find((connection) => connection.id === id) ?? null)
}

/** Puts the new state of a connection into the list on screen, and marks stale what follows from it. */
export function cacheConnection(next: Connection): void {
  queryClient.setQueryData<{ items: Connection[]; nextCursor: null }>(
    connectionsQuery.queryKey,
    (list) =>
      list && {
        ...list,
        items: list.items.some((one) => one.id === next.id)
          ? list.items.map((one) => (one.id === next.id ? next : one))
          : [...list.items, next],
      },
  )
}

/** Everything about connections has to be asked for again: a definition has come, changed or gone. */
export async function refreshAll(): Promise<void> {
  await Promise.all(
    [
      connectionsRoutes.connections,
      connectionsRoutes.plugins,
      connectionsRoutes.plugin,
      connectionsRoutes.variables,
      connectionsRoutes.catalogue,
      connectionsRoutes.models,
      connectionsRoutes.sharing,
    ].map((route) => refresh(route)),
  )
}

/** After a look at the provider: its state, catalogue and models, and the outcome for those who do not see it. */
export function applyCatalogueCheck({ connection, discovery }: CatalogueCheck): void {
  cacheConnection(connection)
  announce(i18n.t(`connect:outcome.${discovery.outcome}`))
  void refresh(connectionsRoutes.models)
  void refresh(connectionsRoutes.plugins)
  void queryClient.invalidateQueries({
    queryKey: keyOf(connectionsRoutes.catalogue, { params: { id: connection.id } }),
  })
}

/** Switching a connection on and off, and asking it for its models; the last outcome stays in sight. */
export function useActivity(connection: Connection) {
  const [fresh, setFresh] = useState<Discovery | null>(null)
  const params = { id: connection.id }
  function took(answer: CatalogueCheck | Connection) {
    if ('discovery' in answer) {
      setFresh(answer.discovery)
      return applyCatalogueCheck(answer)
    }
    cacheConnection(answer)
    void refresh(connectionsRoutes.models)
    void refresh(connectionsRoutes.plugins)
  }
  const activity = useMutation({
    mutationFn: (on: boolean): Promise<CatalogueCheck | Connection> =>
      on ? call(connectionsRoutes.activate, { params }) : call(connectionsRoutes.deactivate, { params }),
    onMutate: (on) => {
      setFresh(null)
      cacheConnection({ ...connection, active: on })
    },
    onSuccess: took,
    onError: () => cacheConnection(connection),
  })
  const discover = useMutation({ mutationFn: () => call(connectionsRoutes.discover, { params }), onSuccess: took })
  const failed = [activity, discover].find((one) => one.isError)
  return { activity, discover, took, outcome: fresh ?? lastDiscovery(connection), error: failed?.error }
}

/** An outcome that is worth telling long after: something is missing or has failed. */
function lastDiscovery({ lastOutcome }: Connection): Discovery | null {
  return lastOutcome?.outcome === 'missing_credentials' || lastOutcome?.outcome === 'unavailable' ? lastOutcome : null
}

/** Whether a definition takes a key from the account: never, if it likes, or always. */
export function keyNeed({ auth, signIn }: Pick<Plugin, 'auth' | 'signIn'>): 'none' | 'optional' | 'needed' {
  if (signIn || !auth.header) return 'none'
  return auth.optional ? 'optional' : 'needed'
}
