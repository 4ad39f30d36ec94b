import { Keyboard, LogOut, Settings, SunMoon } from 'lucide-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { savePreferences, useMe, usePreferences } from '../../api/account.ts'
import { wordsOf } from '../../api/errors.ts'
import { useAfterFirstView } from '../../lib/first-view.ts'
import { links } from '../../lib/links.ts'
import { useText } from '../../lib/texts.ts'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator, MenuSub } from '../../ui/menu.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { toast } from '../../ui/toaster.tsx'
import { signOut } from '../session.ts'
import { useKeysOf } from './keys.ts'
import { setView } from './view.ts'

const PresenceMark = lazy(() => import('../../blocks/presence/own.ts').then((own) => ({ default: own.PresenceMark })))
const PresenceMenu = lazy(() => import('../../blocks/presence/own.ts').then((own) => ({ default: own.PresenceMenu })))
const StatusDialog = lazy(() =>
  import('../../blocks/presence/status-dialog.tsx').then((module) => ({ default: module.StatusDialog })),
)

/** Who is signed in, and what belongs to them. */
export function AccountMenu({ side }: { side: 'left' | 'right' | 'top' }) {
  const t = useText('app')
  const me = useMe()
  const { theme } = usePreferences()
  const keys = useKeysOf()
  const navigate = useNavigate()
  const name = me.displayName || me.username
  const afterFirstView = useAfterFirstView()
  const [statusAsked, askStatus] = useState(false)
  const failed = (error: unknown) => toast(wordsOf(error), { tone: 'danger' })
  return (
    <>
      <Menu
        side={side}
        align="end"
        trigger={
          <button
            type="button"
            aria-label={t('shell.account', { name })}
            className="hit relative grid size-9 place-items-center rounded-full border border-line-strong/50 hover:border-line-strong aria-expanded:border-line-strong"
          >
            <Monogram name={name} picture={me.avatar} className="size-8 text-sm" />
            {afterFirstView && (
              <Suspense>
                <PresenceMark userId={me.id} large />
              </Suspense>
            )}
          </button>
        }
      >
        <MenuLabel>
          <span className="block max-w-56 truncate text-sm text-ink">{name}</span>
          {me.role === 'admin' && <span className="block font-normal">{t('shell.administrator')}</span>}
        </MenuLabel>
        <Suspense>
          <PresenceMenu userId={me.id} onStatus={() => askStatus(true)} />
        </Suspense>
        <MenuSeparator />
        <MenuItem
          icon={<Settings />}
          keys={keys('settings.open')}
          onSelect={() => void navigate({ to: links.settings() })}
        >
          {t('action.settings')}
        </MenuItem>
        <MenuSub icon={<SunMoon />} label={t('shell.theme')}>
          <MenuChoice
            value={theme.mode}
            onChange={(mode) => void savePreferences({ theme: { mode: mode as typeof theme.mode } }).catch(failed)}
            options={(['system', 'light', 'dark', 'contrast'] as const).map((mode) => ({
              value: mode,
              label: t(`theme.${mode}`),
            }))}
          />
        </MenuSub>
        <MenuItem icon={<Keyboard />} keys={keys('shortcuts.list')} onSelect={() => setView({ dialog: 'shortcuts' })}>
          {t('action.shortcuts')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<LogOut />} onSelect={() => void signOut().catch(failed)}>
          {t('action.signOut')}
        </MenuItem>
      </Menu>
      {statusAsked && (
        <Suspense>
          <StatusDialog userId={me.id} onClose={() => askStatus(false)} />
        </Suspense>
      )}
    </>
  )
}
