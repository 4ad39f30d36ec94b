/** The resources and prompts of tool servers, which are asked for them when a list of the composer is opened. */
import { type ToolServer, toolContentRoutes, toolServersRoutes } from '@atrium/contract/tool-servers'
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { onAccountEvent } from '../../../../api/account-events.ts'
import { queryOf, refresh } from '../../../../api/query.ts'

/** So long a list is good without asking the server again. */
const staleTime = 5 * 60_000

const useServers = (has: (server: ToolServer) => boolean): readonly ToolServer[] => {
  const items = useQuery(queryOf(toolServersRoutes.servers)).data?.items ?? []
  return items.filter((server) => server.enabled && has(server) && (server.authMode === 'none' || server.hasCredential))
}

interface ServerList<T> {
  readonly server: Pick<ToolServer, 'id' | 'name'>
  /** Absent: the server did not answer; it can be asked again. */
  readonly data: T | undefined
  readonly askAgain: () => unknown
}

/** By server, as far as they have answered or failed to. */
export function useServerResources() {
  const servers = useServers(({ hasResources }) => hasResources)
  return useQueries({
    queries: servers.map(({ id }) => ({
      ...queryOf(toolContentRoutes.serverResources, { params: { id } }),
      staleTime,
      retry: false,
    })),
    combine: (results) => servers.flatMap((server, index) => toList(server, results[index])),
  })
}

export function useServerPrompts() {
  const servers = useServers(({ hasPrompts }) => hasPrompts)
  return useQueries({
    queries: servers.map(({ id }) => ({
      ...queryOf(toolContentRoutes.serverPrompts, { params: { id } }),
      staleTime,
      retry: false,
    })),
    combine: (results) => servers.flatMap((server, index) => toList(server, results[index])),
  })
}

const toList = <T>(
  { id, name }: ToolServer,
  result: Pick<UseQueryResult<T>, 'data' | 'isError' | 'refetch'> | undefined,
): ServerList<T>[] =>
  result && (result.data !== undefined || result.isError)
    ? [{ server: { id, name }, data: result.data, askAgain: result.refetch }]
    : []

onAccountEvent('tool-servers-changed', () => {
  void refresh(toolServersRoutes.servers)
  void refresh(toolContentRoutes.serverResources)
  void refresh(toolContentRoutes.serverPrompts)
})
