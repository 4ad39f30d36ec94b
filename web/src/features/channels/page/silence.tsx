import { channelsRoutes as routes } from '@atrium/contract/channels'
import { useMutation } from '@tanstack/react-query'
import { Archive, Eye, Megaphone } from 'lucide-react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { putChannel } from '../data/list.ts'
import { reloadTimeline } from '../open/load.ts'
import { openTimeline } from '../open/store.ts'
import { canManage } from '../rules.ts'
import { useChannel } from '../timeline/context.ts'
import { useText } from 'virtual:words/channels'

const icons = { join: Eye, archived: Archive, readOnly: Megaphone }

/** In the place of the box: why nothing can be written here, and what to do about it. */
export function Silence({ why }: { why: 'join' | 'archived' | 'readOnly' }) {
  const t = useText('channels')
  const { channel } = useChannel()
  const params = { channelId: channel.id }
  const act = useMutation({
    mutationFn: () =>
      why === 'join' ? call(routes.join, { params }) : call(routes.update, { params, body: { archived: false } }),
    onSuccess: (changed) => {
      putChannel(changed)
      if (why === 'join') void reloadTimeline(openTimeline(channel.id))
    },
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  const Icon = icons[why]
  const canJoin = why === 'join' && channel.archivedAt === null
  return (
    <div className="m-3 flex flex-wrap items-center gap-3 rounded-xl border border-line bg-sunken px-4 py-3">
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <p className="min-w-0 flex-1">
        {t(why === 'join' ? 'join.text' : why === 'archived' ? 'archived.text' : 'readOnly')}
      </p>
      {canJoin && (
        <Button tone="primary" busy={act.isPending} onClick={() => act.mutate()}>
          {t('join.join')}
        </Button>
      )}
      {why === 'archived' && canManage(channel) && (
        <Button busy={act.isPending} onClick={() => act.mutate()}>
          {t('archived.restore')}
        </Button>
      )}
    </div>
  )
}
