import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LogOut, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { PagedList } from '../../blocks/paged-list.tsx'
import { type SharedResource, sharedQuery } from '../../blocks/shared-with-me/data.ts'
import { useShareFacts } from '../../blocks/shared-with-me/facts.ts'
import { LeaveDialog } from '../../blocks/shared-with-me/leave.tsx'
import { formatAgo, formatDateTime } from '../../lib/format.ts'
import { resourceDisplay, resourceLink, useResourceWords } from '../../lib/resources.ts'
import { useTitle } from '../../lib/title.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { SharedHeader } from './header.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { useText } from 'virtual:words/access'
import { useText as useShareWords } from 'virtual:words/shared-with-me'

/** `/shared`: what others share with the account, of every kind, newest first; whose it is, and until when. */
export function SharedPage() {
  const t = useText('access')
  useTitle(t('title'))
  const list = useInfiniteQuery(sharedQuery())
  const [leaving, setLeaving] = useState<SharedResource | null>(null)
  const shares = list.data ?? []
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <div className="page-column">
        <SharedHeader title={t('title')} note={t('note')} />
        <PagedList
          pages={list}
          label={t('title')}
          failed={t('notLoaded')}
          empty={
            <EmptyState icon={<UsersRound />} title={t('nothing')}>
              {t('nothingHint')}
            </EmptyState>
          }
        >
          {shares.map((share) => (
            <ShareRow key={share.resourceId} share={share} onLeave={() => setLeaving(share)} />
          ))}
        </PagedList>
      </div>
      {leaving && <LeaveDialog resource={leaving} onClose={() => setLeaving(null)} />}
    </div>
  )
}

function ShareRow({ share, onLeave }: { share: SharedResource; onLeave: () => void }) {
  const t = useShareWords('shared-with-me')
  const words = useResourceWords()
  const factsOf = useShareFacts()
  const { resourceType, resourceId, name, sharedAt } = share
  const Icon = resourceDisplay(resourceType)?.icon
  return (
    <li className="flex items-center gap-1 pe-2">
      <Link
        to={resourceLink(resourceType, { id: resourceId })}
        className="flex min-w-0 flex-1 items-center gap-3 px-3.5 py-2.5 hover:bg-hover"
      >
        {Icon && <Icon aria-hidden className="size-4 shrink-0 text-muted" />}
        <span className="min-w-0 flex-1">
          <span dir="auto" className="block truncate font-medium">
            {name}
          </span>
          <span className="block text-sm text-muted">
            {words(resourceType, 'name')} · {factsOf(share)}
          </span>
        </span>
        <Monogram name={share.ownerName} picture={share.ownerAvatar} />
        <time dateTime={sharedAt} title={formatDateTime(sharedAt)} className="shrink-0 text-sm text-muted">
          {formatAgo(sharedAt)}
        </time>
      </Link>
      <IconButton label={t('leaveLabel', { name })} icon={<LogOut />} onClick={onLeave} />
    </li>
  )
}
