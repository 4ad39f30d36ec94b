import { BellOff, CircleDot, MessageSquareText } from 'lucide-react'
import type { OwnPresence } from '@atrium/contract/presence'
import { wordsOf } from '../../api/errors.ts'
import { formatDateTime, formatTime } from '../../lib/format.ts'
import { MenuChoice, MenuItem, MenuSeparator, MenuSub } from '../../ui/menu.tsx'
import { toast } from '../../ui/toaster.tsx'
import { useText } from 'virtual:words/presence'
import { endOf, spans } from './spans.ts'
import { savePresence, useOwnPresence } from './use-presence.ts'

const modes = ['automatic', 'away', 'invisible'] as const

/** In the own menu: how one is shown to others. `onStatus` opens the window for the line of status. */
export function PresenceMenu({ userId, onStatus }: { userId: string; onStatus: () => void }) {
  const t = useText('presence')
  const own = useOwnPresence(userId)
  if (!own) return null
  const save = (change: Partial<OwnPresence>) =>
    void savePresence({ ...own, until: null, ...change }).catch((error: unknown) =>
      toast(wordsOf(error), { tone: 'danger' }),
    )
  const quiet = own.mode === 'do-not-disturb' && own.until !== null ? own.until : null
  return (
    <>
      <MenuSub icon={<CircleDot />} label={t(quiet ? 'menu.quiet' : `mode.${own.mode}`)}>
        <MenuChoice
          value={own.mode}
          onChange={(mode) => save({ mode: mode as OwnPresence['mode'] })}
          options={modes.map((value) => ({ value, label: t(`mode.${value}`) }))}
        />
      </MenuSub>
      <MenuSub
        icon={<BellOff />}
        label={quiet ? t('menu.until', { time: whenShort(quiet) }) : t('mode.do-not-disturb')}
      >
        {spans.map((span) => (
          <MenuItem
            key={span}
            onSelect={() => save({ mode: 'do-not-disturb', until: endOf(span, new Date()).toISOString() })}
          >
            {t(`span.${span}`)}
          </MenuItem>
        ))}
        {quiet && (
          <>
            <MenuSeparator />
            <MenuItem onSelect={() => save({ mode: 'automatic' })}>{t('menu.endQuiet')}</MenuItem>
          </>
        )}
      </MenuSub>
      <MenuItem
        icon={<MessageSquareText />}
        hint={own.status && <span dir="auto">{own.status}</span>}
        onSelect={onStatus}
      >
        {t(own.status ? 'menu.changeStatus' : 'menu.setStatus')}
      </MenuItem>
    </>
  )
}

const whenShort = (time: string): string =>
  new Date(time).toDateString() === new Date().toDateString() ? formatTime(time) : formatDateTime(time)
