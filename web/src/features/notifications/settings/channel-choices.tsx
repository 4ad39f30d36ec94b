import { type ChannelLevel, channelsRoutes } from '@atrium/contract/channels'
import type { Answer } from '@atrium/contract/route'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BellRing } from 'lucide-react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { formatDateTime, formatList } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Select } from '../../../ui/select.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/notifications-settings'

type Chosen = Answer<typeof channelsRoutes.preferences>['items'][number]

/** The channels and threads that are told of otherwise than usual. */
export function ChannelChoices() {
  const t = useText('notifications-settings')
  const chosen = useQuery({ ...queryOf(channelsRoutes.preferences), staleTime: 0 })
  if (chosen.isPending) return <Skeleton lines={2} />
  if (chosen.isError)
    return (
      <ErrorCard title={t('notLoaded')} onRetry={() => void chosen.refetch()}>
        {wordsOf(chosen.error)}
      </ErrorCard>
    )
  const items = chosen.data.items.filter(({ notices }) => isAhead(notices.mutedUntil) || notices.level !== null)
  if (items.length === 0) return <p className="py-3 text-sm text-muted">{t('noChannels')}</p>
  return (
    <ul>
      {items.map((item) => (
        <Choice key={`${item.channel.id} ${item.thread?.messageId ?? ''}`} item={item} />
      ))}
    </ul>
  )
}

const isAhead = (time: string | null): boolean => time !== null && Date.parse(time) > Date.now()
const usual = 'usual'

function Choice({ item: { channel, thread, notices } }: { item: Chosen }) {
  const t = useText('notifications-settings')
  const { id, type, name, people } = channel
  const isRoom = type === 'public' || type === 'private'
  const called = isRoom ? name : formatList(people.map((person) => person.name)) || t('formerMember')
  const change = async (body: { level?: ChannelLevel | null; mutedUntil?: null }) => {
    const { level, ...rest } = body
    try {
      await (thread
        ? call(channelsRoutes.updateThreadPreferences, { params: { messageId: thread.messageId }, body })
        : call(channelsRoutes.updatePreferences, {
            params: { channelId: id },
            body: { ...rest, ...(level ? { level } : {}) },
          }))
      await refresh(channelsRoutes.preferences)
    } catch (error) {
      toast(wordsOf(error), { tone: 'danger' })
    }
  }
  const { level, mutedUntil } = thread ? notices : channel.notices
  const options = [...(thread ? [usual] : []), 'all', 'mentions', 'nothing'] as const
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-2">
      <span className="min-w-36 flex-1">
        <Link
          to={links.channel(id, thread ? { thread: thread.messageId } : undefined)}
          className="block truncate hover:underline"
        >
          <bdi>{thread ? thread.text || t('deletedThread') : called}</bdi>
        </Link>
        {thread && (
          <span className="block truncate text-sm text-muted">
            <bdi>{t('threadIn', { name: called })}</bdi>
          </span>
        )}
        {isAhead(mutedUntil) && mutedUntil !== null && (
          <span className="block text-sm text-muted">{t('mutedUntil', { when: formatDateTime(mutedUntil) })}</span>
        )}
      </span>
      {isAhead(mutedUntil) && (
        <IconButton
          label={t('unmute', { name: called })}
          icon={<BellRing />}
          onClick={() => void change({ mutedUntil: null })}
        />
      )}
      <Select
        aria-label={t('levelOf', { name: called })}
        className="w-56 max-w-full"
        value={level ?? usual}
        options={options.map((value) => ({ value, label: t(`level.${value}`) }))}
        onChange={(value) => void change({ level: value === usual ? null : (value as ChannelLevel) })}
      />
    </li>
  )
}
