import { channelsRoutes as routes } from '@atrium/contract/channels'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Search, UserPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { wordsOf } from '../../../api/errors.ts'
import { pagesOf } from '../../../api/pages.ts'
import { MoreButton } from '../../../blocks/more-button.tsx'
import { matchesQuery } from '../../../lib/match.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Input } from '../../../ui/input.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { canInvite } from '../rules.ts'
import { useChannel } from '../timeline/context.ts'
import { useText } from 'virtual:words/channels'
import { MemberRow } from './member-row.tsx'

const AddDialog = lazy(() => import('../windows/add-dialog.tsx').then((module) => ({ default: module.AddDialog })))
/** Few enough to be seen at a glance. */
const few = 8

/** Who is in the channel, and as what. */
export function Members() {
  const t = useText('channels')
  const { channel } = useChannel()
  const [words, setWords] = useState('')
  const [adding, setAdding] = useState(false)
  const list = useInfiniteQuery({
    ...pagesOf(routes.members, { params: { channelId: channel.id }, query: { limit: 200 } }),
    staleTime: 30_000,
  })
  const all = list.data ?? []
  const shown = all.filter(({ user }) => matchesQuery(words, user.name))
  return (
    <div className="flex flex-col gap-3 p-3">
      {canInvite(channel) && (
        <Button className="self-start" icon={<UserPlus className="size-4" />} onClick={() => setAdding(true)}>
          {t('members.add')}
        </Button>
      )}
      {all.length > few && (
        <Input
          type="search"
          icon={<Search />}
          dir="auto"
          aria-label={t('members.filter')}
          placeholder={t('members.filter')}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      )}
      {list.isPending && <Skeleton lines={4} />}
      {list.isError && (
        <ErrorCard title={t('members.failed')} onRetry={() => void list.refetch()}>
          {wordsOf(list.error)}
        </ErrorCard>
      )}
      {all.length > 0 && shown.length === 0 && <p className="text-muted">{t('members.none')}</p>}
      <ul aria-label={t('members.title')} className="flex flex-col divide-y divide-line">
        {shown.map((member) => (
          <MemberRow key={member.user.id} member={member} />
        ))}
      </ul>
      <MoreButton pages={list} />
      {adding && (
        <Suspense>
          <AddDialog channel={channel} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </div>
  )
}
