/** What can be done with a chat from outside: on screen at once, rolled back with the reason when it fails. */
import { chatRoutes as routes, type ChatSummary, type Folder } from '@atrium/contract/chat'
import { trashRoutes } from '@atrium/contract/trash'
import { call } from '../../../api/client.ts'
import { runInTurn as saveInOrder, savesOfChat } from '../../../api/saves.ts'
import { wordsOf } from '../../../api/errors.ts'
import { keyOf, queryClient, refresh } from '../../../api/query.ts'
import { newId } from '../../../lib/id.ts'
import { links } from '../../../lib/links.ts'
import { toast } from '../../../ui/toaster.tsx'
import { forgetChats, knownChat, outdateReads, reloadChat } from '../open/store.ts'
import { translate } from 'virtual:words/chat-list'
import { cachedChat, dropChat, putChat, refreshLists, summaryOf } from './cache.ts'

export type ChatChange = Partial<
  Pick<ChatSummary, 'title' | 'pinned' | 'archived' | 'folderId' | 'unread' | 'selection'>
>

/** Changes one chat. False when the server refused; the reason is on screen then. */
export async function changeChat(id: string, changes: ChatChange): Promise<boolean> {
  const before = cachedChat(id)
  outdateReads(knownChat(id))
  if (before) putChat({ ...summaryOf(before), ...changes, ...(changes.title ? { titleSource: 'own' } : {}) })
  try {
    const params = { sessionId: id }
    const stored = await saveInOrder(savesOfChat(id), () => call(routes.update, { params, body: changes }))
    outdateReads(knownChat(id))
    putChat(stored)
    if ('folderId' in changes || 'archived' in changes) void refresh(routes.folders)
    return true
  } catch (error) {
    if (before) putChat(summaryOf(before))
    toast(wordsOf(error), { tone: 'danger' })
    return false
  }
}

/** Changes several chats alike, four at a time. Gives how many were changed. */
export const changeChats = (ids: readonly string[], changes: ChatChange): Promise<number> =>
  inTurn(ids, (id) => changeChat(id, changes))

/** Archives chats, with a way back. */
export async function archiveChats(ids: readonly string[], archived: boolean): Promise<void> {
  const done = await changeChats(ids, { archived })
  if (done === 0) return
  toast(translate(archived ? 'chat-list:archived' : 'chat-list:unarchived', { count: done }), {
    action: { label: translate('chat-list:undo'), onClick: () => void changeChats(ids, { archived: !archived }) },
  })
}

/** Moves chats to the trash, with ten seconds to take it back. */
export async function trashChats(ids: readonly string[]): Promise<number> {
  const done = await inTurn(ids, async (id) => {
    const before = cachedChat(id)
    dropChat(id)
    try {
      await call(routes.remove, { params: { sessionId: id } })
      return true
    } catch (error) {
      if (before) putChat(summaryOf(before))
      toast(wordsOf(error), { tone: 'danger' })
      return false
    }
  })
  if (done > 0) {
    toast(translate('chat-list:trashed', { count: done }), {
      action: { label: translate('chat-list:undo'), onClick: () => void restoreChats(ids) },
    })
  }
  void refresh(routes.folders)
  void refresh(trashRoutes.list)
  return done
}

/** Makes a temporary chat one like all others. */
export async function keepChat(id: string): Promise<void> {
  try {
    putChat(await call(routes.update, { params: { sessionId: id }, body: { temporary: false } }))
    toast(translate('chat-list:temporary.kept'))
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
  }
}

/** Deletes a temporary chat for good. False with the reason on screen. */
export async function deleteTemporaryChat(id: string): Promise<boolean> {
  try {
    await call(routes.remove, { params: { sessionId: id } })
    toast(translate('chat-list:temporary.deleted'))
    return true
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
    return false
  }
}

/** Whether a chat is the one on the page now; the person may have gone elsewhere while the server worked. */
export const isOnScreen = (id: string): boolean => location.pathname === links.chat(id)

/** Brings chats back from the trash. */
export async function restoreChats(ids: readonly string[]): Promise<void> {
  await inTurn(ids, async (id) => {
    try {
      await call(routes.restoreTrash, { params: { itemId: id } })
      const open = knownChat(id)
      if (open?.users) await reloadChat(open)
      else forgetChats(id)
      return true
    } catch (error) {
      toast(wordsOf(error), { tone: 'danger' })
      return false
    }
  })
  refreshLists()
  void refresh(trashRoutes.list)
}

/** Copies the active path of a chat, or all branches of an own one. Gives the copy, or null with the reason on screen. */
export async function duplicateChat(
  id: string,
  which: { messageId?: string; branches?: boolean } = {},
): Promise<ChatSummary | null> {
  try {
    const copy = await call(routes.fork, { params: { sessionId: id }, body: which })
    putChat(copy)
    return copy
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
    return null
  }
}

/** Makes a project, in another if given. Gives it, or null with the reason on screen. */
export async function createFolder(name: string, parentId: string | null = null): Promise<Folder | null> {
  try {
    const folder = await call(routes.createFolder, { body: { id: newId(), name, parentId } })
    await refresh(routes.folders)
    return folder
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
    return null
  }
}

/** Renames a project, on screen at once. */
export async function renameFolder(folder: Folder, name: string): Promise<void> {
  const key = keyOf(routes.folders)
  const set = (title: string) =>
    queryClient.setQueryData<{ items: Folder[]; nextCursor: null }>(
      key,
      (data) => data && { ...data, items: data.items.map((f) => (f.id === folder.id ? { ...f, name: title } : f)) },
    )
  set(name)
  try {
    await call(routes.updateFolder, { params: { folderId: folder.id }, body: { name } })
    void refresh(routes.folder)
  } catch (error) {
    set(folder.name)
    toast(wordsOf(error), { tone: 'danger' })
  }
}

/** Puts a project into another, or into none; on screen at once. */
export async function moveFolder(folderId: string, parentId: string | null): Promise<void> {
  queryClient.setQueryData<{ items: Folder[]; nextCursor: null }>(
    keyOf(routes.folders),
    (data) => data && { ...data, items: data.items.map((f) => (f.id === folderId ? { ...f, parentId } : f)) },
  )
  try {
    await call(routes.updateFolder, { params: { folderId }, body: { parentId } })
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
  }
  await Promise.all([refresh(routes.folder), refresh(routes.folders)])
}

/** Moves a project to the trash; its chats stay, or go with it. */
export async function trashFolder(folder: Folder, chats: 'keep' | 'trash'): Promise<boolean> {
  try {
    await call(routes.removeFolder, { params: { folderId: folder.id }, query: { chats } })
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
    return false
  }
  refreshLists()
  void refresh(trashRoutes.list)
  toast(translate('chat-list:folder.trashed', { name: folder.name }), {
    action: { label: translate('chat-list:undo'), onClick: () => void restoreChats([folder.id]) },
  })
  return true
}

async function inTurn(ids: readonly string[], run: (id: string) => Promise<boolean>): Promise<number> {
  let done = 0
  for (let start = 0; start < ids.length; start += 4) {
    const results = await Promise.all(ids.slice(start, start + 4).map(run))
    done += results.filter(Boolean).length
  }
  return done
}
