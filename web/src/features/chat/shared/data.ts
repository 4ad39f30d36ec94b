/** What others share with the account: loaded, followed, given back. */
import { accessRoutes } from '@atrium/contract/access'
import { chatRoutes as routes } from '@atrium/contract/chat'
import type { Answer } from '@atrium/contract/route'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { pagesOf } from '../../../api/pages.ts'
import { keyOf } from '../../../api/query.ts'

export type SharedThing = Answer<typeof accessRoutes.sharedWithMe>['items'][number]

/** Chats or folders of others, newest share first. */
export const sharedQuery = (resourceType: 'chat' | 'folder') =>
  pagesOf(accessRoutes.sharedWithMe, { query: { resourceType, limit: 50 } })

/** The chats of a folder that is shared; each page says the folder’s name besides. */
export const sharedFolderQuery = (folderId: string) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(routes.folderChats), 'of', folderId],
    queryFn: ({ pageParam, signal }) =>
      call(routes.folderChats, { params: { folderId }, query: { limit: 50, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    retry: false,
  })
