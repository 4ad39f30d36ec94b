import { Link } from '@tanstack/react-router'
import { ArrowLeft, CheckCheck, Ellipsis, LogOut, Pin, Settings2, UserPlus, UsersRound } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { StatusLine } from '../../../blocks/presence/status-line.tsx'
import { useAction } from '../../../lib/actions.ts'
import { classNames } from '../../../lib/class-names.ts'
import { formatNumber } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import { ChannelIcon } from '../list/channel-icon.tsx'
import { ChannelNoticesMenu } from '../notices/items.tsx'
import { markAllRead } from '../open/read-mark.ts'
import { canInvite, isDirect, canManage } from '../rules.ts'
import { useChannel } from '../timeline/context.ts'
import { useText } from 'virtual:words/channels'
import { usePane } from './use-place.ts'

const SettingsDialog = lazy(() =>
  import('../windows/settings-dialog.tsx').then((module) => ({ default: module.SettingsDialog })),
)
const AddDialog = lazy(() => import('../windows/add-dialog.tsx').then((module) => ({ default: module.AddDialog })))
const LeaveDialog = lazy(() =>
  import('../windows/leave-dialog.tsx').then((module) => ({ default: module.LeaveDialog })),
)

/** What the channel is called, what it is about, and the ways to its members, pins and settings. */
export function ChannelHeader({ name }: { name: string }) {
  const t = useText('channels')
  const { channel } = useChannel()
  const { pane, show, close } = usePane(channel.id)
  const [asked, setAsked] = useState<'settings' | 'add' | 'leave' | null>(null)
  const { isMember, memberCount } = channel
  const toggle = (which: 'members' | 'pins') => (pane === which ? close() : show(which))
  const isOwner = canManage(channel)
  useAction('channels.members', () => show('members'), isMember)
  useAction('channels.pins', () => show('pins'), isMember)
  useAction('channels.settings', () => setAsked('settings'), isOwner)
  const shut = () => setAsked(null)
  return (
    <header className="flex h-12 shrink-0 items-center gap-1.5 border-b border-line ps-3 pe-2 max-tab:ps-1">
      <Link
        to={links.channels()}
        aria-label={t('gone.back')}
        className="hit grid size-control shrink-0 place-items-center rounded-md text-muted hover:bg-hover tab:hidden"
      >
        <ArrowLeft aria-hidden className="size-4" />
      </Link>
      <ChannelIcon channel={channel} />
      <h1 className="min-w-0 shrink truncate font-semibold" title={name}>
        <bdi>{name}</bdi>
      </h1>
      {channel.topic && (
        <p className="min-w-0 flex-1 truncate text-sm text-muted max-tab:hidden" title={channel.topic}>
          <bdi>{channel.topic}</bdi>
        </p>
      )}
      {channel.type === 'dm' && channel.people[0] && (
        <StatusLine userId={channel.people[0].id} className="min-w-0 truncate text-sm text-muted" />
      )}
      <span className={classNames('flex-1', channel.topic && 'tab:hidden')} />
      {isMember && (
        <>
          <Button
            tone="quiet"
            size="small"
            icon={<UsersRound aria-hidden className="size-4" />}
            aria-pressed={pane === 'members'}
            onClick={() => toggle('members')}
          >
            <span aria-hidden className="tabular-nums">
              {formatNumber(memberCount)}
            </span>
            <span className="sr-only">{t('header.members', { count: memberCount })}</span>
          </Button>
          <IconButton
            label={t('header.pins')}
            icon={<Pin />}
            pressed={pane === 'pins'}
            onClick={() => toggle('pins')}
          />
          <Menu trigger={<IconButton label={t('header.menu')} icon={<Ellipsis />} />}>
            <MenuItem icon={<CheckCheck />} onSelect={() => void markAllRead(channel)}>
              {t('timeline.markRead')}
            </MenuItem>
            <ChannelNoticesMenu channel={channel} />
            {canInvite(channel) && (
              <MenuItem icon={<UserPlus />} onSelect={() => setAsked('add')}>
                {t('members.add')}
              </MenuItem>
            )}
            {isOwner && (
              <MenuItem icon={<Settings2 />} onSelect={() => setAsked('settings')}>
                {t('settings.title')}
              </MenuItem>
            )}
            {!isDirect(channel) && (
              <>
                <MenuSeparator />
                <MenuItem icon={<LogOut />} onSelect={() => setAsked('leave')}>
                  {t('settings.leave')}
                </MenuItem>
              </>
            )}
          </Menu>
        </>
      )}
      <Suspense>
        {asked === 'settings' && <SettingsDialog channel={channel} onClose={shut} />}
        {asked === 'add' && <AddDialog channel={channel} onClose={shut} />}
        {asked === 'leave' && <LeaveDialog channel={channel} name={name} onClose={shut} />}
      </Suspense>
    </header>
  )
}
