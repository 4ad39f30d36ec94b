import { chatRoutes as routes } from '@atrium/contract/chat'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { keyOf } from '../../../api/query.ts'

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
