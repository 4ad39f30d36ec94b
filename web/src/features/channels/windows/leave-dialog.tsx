import { type Channel, channelsRoutes as routes } from '@atrium/contract/channels'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMe } from '../../../api/account.ts'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { links } from '../../../lib/links.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { dropChannel } from '../data/list.ts'
import { forgetTimelines } from '../open/store.ts'
import { useText } from 'virtual:words/channels'

/** Asks before one leaves a channel. */
export function LeaveDialog({ channel, name, onClose }: { channel: Channel; name: string; onClose: () => void }) {
  const t = useText('channels')
  const me = useMe()
  const navigate = useNavigate()
  const leave = useMutation({
    mutationFn: () => call(routes.removeMember, { params: { channelId: channel.id, userId: me.id } }),
    onSuccess: async () => {
      onClose()
      await navigate({ to: links.channels() })
      dropChannel(channel.id)
      forgetTimelines(channel.id)
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('leave.title', { name })}
      confirm={t('leave.confirm')}
      danger
      busy={leave.isPending}
      onConfirm={() => leave.mutate()}
    >
      {leave.isError ? (
        <span role="alert" className="text-danger-ink">
          {wordsOf(leave.error)}
        </span>
      ) : (
        t(channel.type === 'public' ? 'leave.public' : 'leave.private')
      )}
    </ConfirmDialog>
  )
}
