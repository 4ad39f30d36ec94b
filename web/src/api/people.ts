/** Every account and every group, for administrators who choose among them. */
import { groupsRoutes } from '@atrium/contract/groups'
import { type ListedUser, userAdministrationRoutes } from '@atrium/contract/user-administration'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { keyOf } from './query.ts'

type Page<T> = { items: readonly T[]; nextCursor: string | null }

async function every<T>(page: (query: { limit: number; cursor?: string }) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const next: Page<T> = await page({ limit: 200, ...(cursor ? { cursor } : {}) })
    items.push(...next.items)
    cursor = next.nextCursor
  }
  return items
}

export const everyAccount = queryOptions({
  queryKey: [...keyOf(userAdministrationRoutes.list), 'every'],
  queryFn: ({ signal }) => every((query) => call(userAdministrationRoutes.list, { query }, { signal })),
})

/** By name. */
export const everyGroup = queryOptions({
  queryKey: [...keyOf(groupsRoutes.groups), 'every'],
  queryFn: async ({ signal }) => {
    const groups = await every((query) => call(groupsRoutes.groups, { query }, { signal }))
    return groups.sort((a, b) => a.name.localeCompare(b.name))
  },
})

/** Everybody in a group, with whoever keeps them in it. */
export const everyMember = (groupId: string) =>
  queryOptions({
    queryKey: [...keyOf(groupsRoutes.members), 'every', groupId],
    queryFn: ({ signal }) =>
      every((query) => call(groupsRoutes.members, { params: { id: groupId }, query }, { signal })),
  })

/** Who keeps an account or a group here, as it is called on screen: a protocol, or the name of a provider. */
export const managerName = (managedBy: string): string =>
  managedBy === 'scim' || managedBy === 'ldap' ? managedBy.toUpperCase() : managedBy

/** What a person is called on screen. */
export const nameOf = (user: Pick<ListedUser, 'displayName' | 'username'>): string => user.displayName || user.username
