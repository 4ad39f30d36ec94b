import type { Channel, ChannelLevel } from '@atrium/contract/channels'
import { BellOff, BellRing } from 'lucide-react'
import { formatDateTime, formatTime } from '../../../lib/format.ts'
import { laterTimes } from '../../../lib/later-times.ts'
import { MenuChoice, MenuItem, MenuLabel, MenuSeparator, MenuSub } from '../../../ui/menu.tsx'
import { useText } from 'virtual:words/channels-notices'
import { isDirect } from '../rules.ts'
import { isMuted } from './rules.ts'
import { saveChannelNotices, saveThreadNotices } from './save.ts'

const levels = ['all', 'mentions', 'nothing'] as const

/** What to be notified of in a channel, in its menu. */
export function ChannelNoticesMenu({ channel }: { channel: Pick<Channel, 'id' | 'type' | 'notices'> }) {
  const t = useText('channels-notices')
  const { id, notices } = channel
  const words = isDirect(channel) ? 'directLevel' : 'level'
  return (
    <MenuSub icon={<BellRing />} label={t('title')}>
      <MenuChoice
        value={notices.level}
        onChange={(level) => void saveChannelNotices(id, { level: level as ChannelLevel })}
        options={levels.map((value) => ({ value, label: t(`${words}.${value}`) }))}
      />
      <MenuSeparator />
      <MuteItems
        mutedUntil={notices.mutedUntil}
        onChange={(mutedUntil) => void saveChannelNotices(id, { mutedUntil })}
      />
    </MenuSub>
  )
}

const usual = 'usual'

/** The same for a thread, as the content of a menu. */
export function ThreadNoticesItems({
  rootId,
  level,
  mutedUntil,
}: {
  rootId: string
  level: ChannelLevel | null
  mutedUntil: string | null
}) {
  const t = useText('channels-notices')
  return (
    <>
      <MenuLabel>{t('thread')}</MenuLabel>
      <MenuChoice
        value={level ?? usual}
        onChange={(value) =>
          void saveThreadNotices(rootId, { level: value === usual ? null : (value as ChannelLevel) })
        }
        options={[usual, ...levels].map((value) => ({ value, label: t(`threadLevel.${value}`) }))}
      />
      <MenuSeparator />
      <MuteItems mutedUntil={mutedUntil} onChange={(until) => void saveThreadNotices(rootId, { mutedUntil: until })} />
    </>
  )
}

function MuteItems({
  mutedUntil,
  onChange,
}: {
  mutedUntil: string | null
  onChange: (mutedUntil: string | null) => void
}) {
  const t = useText('channels-notices')
  if (mutedUntil !== null && isMuted(mutedUntil, Date.now()))
    return (
      <MenuItem
        icon={<BellRing />}
        hint={t('mutedUntil', { when: formatDateTime(mutedUntil) })}
        onSelect={() => onChange(null)}
      >
        {t('unmute')}
      </MenuItem>
    )
  return (
    <>
      <MenuLabel>{t('mute')}</MenuLabel>
      {laterTimes(new Date()).map(([name, time]) => (
        <MenuItem key={name} icon={<BellOff />} onSelect={() => onChange(time.toISOString())}>
          {t(`muteTo.${name}`, { when: formatTime(time.getTime()) })}
        </MenuItem>
      ))}
    </>
  )
}
