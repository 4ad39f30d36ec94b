import { chatRoutes } from '@atrium/contract/chat'
import type { Collection, Document } from '@atrium/contract/documents'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FolderClosed, MessageSquare, Users } from 'lucide-react'
import { codeOf } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { links } from '../../../lib/links.ts'
import { useText } from 'virtual:words/documents'

/** Where answers may quote a document, and with how many its owner shares it by itself. */
export function Where(props: { document: Document; collections: readonly Collection[] }) {
  const t = useText('documents')
  const { grantCount } = props.document
  if (!grantCount) return <Place {...props} />
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Place {...props} />
      <span className="flex shrink-0 items-center gap-1 text-muted">
        <Users aria-hidden className={icon} />
        {t('collection.sharedWith', { count: grantCount })}
      </span>
    </span>
  )
}

/** Where answers may quote a document: its chat, its collection and whose that is, or everywhere. */
function Place({ document, collections }: { document: Document; collections: readonly Collection[] }) {
  const t = useText('documents')
  if (document.sessionId) return <InChat chatId={document.sessionId} />
  const collection = collections.find(({ id }) => id === document.collectionId)
  if (collection) {
    return (
      <Link to={links.documents({ collection: collection.id })} className={look}>
        {collection.shared ? <Users aria-hidden className={icon} /> : <FolderClosed aria-hidden className={icon} />}
        <span className="truncate">
          <bdi>{collection.name}</bdi>
          {collection.ownerName && (
            <span className="text-muted"> · {t('where.by', { name: collection.ownerName })}</span>
          )}
        </span>
      </Link>
    )
  }
  return <span className="text-muted">{document.shared ? t('where.shared') : t('where.library')}</span>
}

function InChat({ chatId }: { chatId: string }) {
  const t = useText('documents')
  const head = useQuery({
    ...queryOf(chatRoutes.read, { params: { sessionId: chatId }, query: { limit: 1 } }),
    staleTime: 300_000,
    retry: false,
    select: ({ title }) => title,
  })
  if (codeOf(head.error) === 'chat_not_found' && head.isError)
    return <span className="text-muted">{t('where.chatGone')}</span>
  return (
    <Link to={links.chat(chatId)} className={look}>
      <MessageSquare aria-hidden className={icon} />
      <span dir="auto" className="truncate">
        {head.data || t('where.chat')}
      </span>
    </Link>
  )
}

const look = 'flex min-w-0 items-center gap-1.5 hover:underline'
const icon = 'size-3.5 shrink-0 text-muted'
