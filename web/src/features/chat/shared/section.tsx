import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { UsersRound } from 'lucide-react'
import { formatNumber } from '../../../lib/format.ts'
import { resourceDisplay, resourceLink } from '../../../lib/resources.ts'
import { links } from '../../../lib/links.ts'
import { sharedQuery } from '../../../blocks/shared-with-me/data.ts'
import { Monogram } from '../../../ui/monogram.tsx'
import { useText } from 'virtual:words/chat-list'

/** Above the own chats: the newest of what others share. Nothing where nothing is shared. */
export function SharedSection({ onDone }: { onDone: () => void }) {
  const t = useText('chat-list')
  const { data: all = [], hasNextPage } = useInfiniteQuery(sharedQuery())
  if (all.length === 0) return null
  return (
    <section aria-labelledby="shared-with-me" className="px-2 pb-1">
      <h3 id="shared-with-me">
        <Link to={links.shared()} activeOptions={{ exact: true }} onClick={onDone} className={`${row} text-muted`}>
          <UsersRound aria-hidden className="size-4 shrink-0" />
          <span className="min-w-0 flex-1 truncate">{t('sharedWithMe')}</span>
          <span className="text-xs tabular-nums">
            {formatNumber(all.length)}
            {hasNextPage && '+'}
          </span>
        </Link>
      </h3>
      <ul aria-labelledby="shared-with-me">
        {all.slice(0, shown).map((thing) => {
          const Icon = resourceDisplay(thing.resourceType)?.icon
          return (
            <li key={thing.resourceId}>
              <Link to={resourceLink(thing.resourceType, { id: thing.resourceId })} onClick={onDone} className={row}>
                {Icon && <Icon aria-hidden className="size-4 shrink-0 text-muted" />}
                <span dir="auto" className="min-w-3/5 flex-1 truncate">
                  {thing.name}
                </span>
                <Monogram name={thing.ownerName} picture={thing.ownerAvatar} className="size-4 text-[0.6rem]" />
                <span dir="auto" className="min-w-0 truncate text-xs text-muted">
                  {thing.ownerName}
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const shown = 3
const row =
  'flex min-h-row items-center gap-2 rounded-md px-2 hover:bg-hover aria-[current]:bg-pressed aria-[current]:text-ink'
