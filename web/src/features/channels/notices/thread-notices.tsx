import { channelsRoutes as routes } from '@atrium/contract/channels'
import { useQuery } from '@tanstack/react-query'
import { Bell, BellOff } from 'lucide-react'
import { queryOf } from '../../../api/query.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { useText } from 'virtual:words/channels-notices'
import { ThreadNoticesItems } from './items.tsx'
import { isMuted } from './rules.ts'

/** A bell for what to be told of in one thread. */
export function ThreadNotices({ rootId }: { rootId: string }) {
  const t = useText('channels-notices')
  const chosen = useQuery(queryOf(routes.preferences)).data?.items.find(({ thread }) => thread?.messageId === rootId)
  const { level, mutedUntil } = chosen?.notices ?? { level: null, mutedUntil: null }
  const isQuiet = level === 'nothing' || isMuted(mutedUntil, Date.now())
  return (
    <Menu trigger={<IconButton label={t('thread')} icon={isQuiet ? <BellOff /> : <Bell />} size="small" />}>
      <ThreadNoticesItems rootId={rootId} level={level} mutedUntil={mutedUntil} />
    </Menu>
  )
}
