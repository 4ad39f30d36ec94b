import { type ChannelMember, type ChannelRole, channelsRoutes as routes } from '@atrium/contract/channels'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, MessageSquare, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { links } from '../../../lib/links.ts'
import { PersonPicture } from '../../../blocks/presence/person-picture.tsx'
import { StatusLine } from '../../../blocks/presence/status-line.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { Select } from '../../../ui/select.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { putChannel } from '../data/list.ts'
import { partsOfName } from '../names.ts'
import { canRemoveMember, canManage } from '../rules.ts'
import { useChannel } from '../timeline/context.ts'
import { useText } from 'virtual:words/channels'

const roles: readonly ChannelRole[] = ['owner', 'moderator', 'member']

/** One person of a channel: the role, and what can be done about them. */
export function MemberRow({ member: { user, role } }: { member: ChannelMember }) {
  const t = useText('channels')
  const navigate = useNavigate()
  const { channel, me } = useChannel()
  const [asking, setAsking] = useState(false)
  const { shown, handle } = partsOfName(user.name || t('nobody'))
  const isMe = user.id === me.id
  const params = { channelId: channel.id, userId: user.id }
  const say = (error: unknown) => void toast(wordsOf(error), { tone: 'danger' })
  const change = useMutation({
    mutationFn: (next: ChannelRole) => call(routes.changeMember, { params, body: { role: next } }),
    onError: say,
    onSettled: () => refresh(routes.members),
  })
  const remove = useMutation({
    mutationFn: () => call(routes.removeMember, { params }),
    onSuccess: () => toast(t('members.removed', { name: shown })),
    onError: say,
    onSettled: async () => {
      setAsking(false)
      await refresh(routes.members)
    },
  })
  const write = useMutation({
    mutationFn: () => call(routes.direct, { body: { userIds: [user.id] } }),
    onSuccess: (direct) => {
      putChannel(direct)
      void navigate({ to: links.channel(direct.id) })
    },
    onError: say,
  })
  return (
    <li className="flex items-center gap-2.5 py-2">
      <PersonPicture userId={user.id} name={shown} picture={user.avatar} says />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">
          <bdi>{isMe ? t('noteToSelf', { name: shown }) : shown}</bdi>
        </p>
        {handle !== shown && (
          <p className="truncate text-sm text-muted">
            <bdi>{handle}</bdi>
          </p>
        )}
        <StatusLine userId={user.id} className="block truncate text-sm text-muted" />
      </div>
      {canManage(channel) ? (
        <Select
          aria-label={t('members.roleOf', { name: shown })}
          value={change.isPending ? (change.variables ?? role) : role}
          onChange={(next) => change.mutate(next)}
          options={roles.map((value) => ({ value, label: t(`members.role.${value}`) }))}
          className="max-w-36"
        />
      ) : (
        role !== 'member' && <Badge>{t(`members.role.${role}`)}</Badge>
      )}
      {!isMe && (channel.type !== 'dm' || canRemoveMember(channel, role)) && (
        <Menu
          trigger={
            <IconButton
              label={t('members.menu', { name: shown })}
              icon={<Ellipsis />}
              size="small"
              tooltipSide="none"
            />
          }
        >
          {channel.type !== 'dm' && (
            <MenuItem icon={<MessageSquare />} onSelect={() => write.mutate()}>
              {t('members.message')}
            </MenuItem>
          )}
          {canRemoveMember(channel, role) && (
            <MenuItem icon={<UserMinus />} danger onSelect={() => setAsking(true)}>
              {t('members.remove')}
            </MenuItem>
          )}
        </Menu>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('members.removeTitle', { name: shown })}
        confirm={t('members.remove')}
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        {t('members.removeText', { name: shown })}
      </ConfirmDialog>
    </li>
  )
}
