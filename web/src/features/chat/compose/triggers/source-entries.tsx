import { chatRoutes } from '@atrium/contract/chat'
import { documentsRoutes } from '@atrium/contract/documents'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { FileText, Folder, LibraryBig, MessageSquare } from 'lucide-react'
import { useDeferredValue, useMemo } from 'react'
import { useMe } from '../../../../api/account.ts'
import { queryOf } from '../../../../api/query.ts'
import type { TriggerEntry, TriggerSourceProps } from '../../../../blocks/composer/triggers/types.ts'
import { links } from '../../../../lib/links.ts'
import { foldersQuery } from '../../list/cache.ts'
import { changeChat } from '../../list/changes.ts'
import { draftOfChat, isDraftChat } from '../../open/draft-chat.ts'
import { useOpen } from '../../open/store.ts'
import { useThread } from '../../thread/context.ts'
import { useResourceEntries } from '../server-content/resource-entries.tsx'
import { attachChat, attachDocument, searchCollection } from '../attach.ts'
import { useText } from 'virtual:words/chat-compose'

/** What can be read along: documents and other chats are attached, collections searched; a folder takes the chat in. */
export function SourceEntries({ query, show }: TriggerSourceProps) {
  const t = useText('chat-compose')
  const me = useMe()
  const navigate = useNavigate()
  const { temporary } = useSearch({ strict: false }) as { temporary?: boolean }
  const { chat, attempt } = useThread()
  const settings = useOpen(chat, (state) => state.conversation?.head.settings)
  const folderId = useOpen(chat, (state) => state.conversation?.head.folderId)
  // The list follows every key; only the server may lag.
  const q = useDeferredValue(query.trim()) || undefined
  const before = { placeholderData: <T,>(data: T) => data }
  const documents = useQuery({
    ...queryOf(documentsRoutes.list, { query: { q, status: 'completed' as const, limit: 20 } }),
    ...before,
  }).data?.items
  const collections = useQuery(queryOf(documentsRoutes.collections, { query: { limit: 200 } })).data?.items
  const chats = useQuery({ ...queryOf(chatRoutes.list, { query: { q, limit: 20 } }), ...before }).data?.items
  const folders = useQuery(foldersQuery).data?.items
  const draft = draftOfChat(me.id, chat)
  const resources = useResourceEntries(draft)
  const entries = useMemo((): TriggerEntry[] => {
    const searched = settings?.knowledgeCollectionIds ?? []
    const nameOf = (id: string | null) => collections?.find((one) => one.id === id)?.name
    return [
      ...(documents ?? [])
        .filter(({ sessionId }) => sessionId === null || sessionId !== chat.id)
        .map(({ id, filename, collectionId }) => ({
          id: `document ${id}`,
          name: filename,
          icon: FileText,
          hint: nameOf(collectionId),
          section: t('trigger.documents'),
          choose: () => attachDocument(draft, { id, filename }),
        })),
      ...(collections ?? [])
        .filter(({ id }) => !searched.includes(id))
        .map(({ id, name, ownerName }) => ({
          id: `collection ${id}`,
          name,
          icon: LibraryBig,
          hint: ownerName ?? undefined,
          section: t('trigger.collections'),
          choose: () => attempt(() => searchCollection(chat, id)),
        })),
      ...(chats ?? [])
        .filter(({ id }) => id !== chat.id)
        .map(({ id, title }) => ({
          id: `chat ${id}`,
          name: title,
          icon: MessageSquare,
          section: t('trigger.chats'),
          choose: () => attempt(() => attachChat(draft, { id, title })),
        })),
      ...(folders ?? [])
        .filter(({ id }) => id !== folderId)
        .map(({ id, name }) => ({
          id: `folder ${id}`,
          name,
          icon: Folder,
          hint: t('trigger.moveHere'),
          section: t('trigger.folders'),
          choose: () =>
            isDraftChat(chat)
              ? void navigate({ to: links.newChat({ folder: id, temporary }) })
              : void changeChat(chat.id, { folderId: id }),
        })),
      ...resources,
    ]
  }, [
    documents,
    collections,
    chats,
    folders,
    settings,
    folderId,
    resources,
    draft,
    chat,
    temporary,
    attempt,
    navigate,
    t,
  ])
  return show(entries)
}
