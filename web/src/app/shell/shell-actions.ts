/** What the shell itself can do by keys and from the palette. */
import { Keyboard, LogOut, Maximize, Moon, PanelLeft, Search, Settings, Sun, SunMoon } from 'lucide-react'
import { savePreferences, usePreferences } from '../../api/account.ts'
import { wordsOf } from '../../api/errors.ts'
import { defineActions, useAction } from '../../lib/actions.ts'
import { links } from '../../lib/links.ts'
import { toast } from '../../ui/toaster.tsx'
import { signOut } from '../session.ts'
import { setView, useView } from './view.ts'

const failed = (error: unknown) => toast(wordsOf(error), { tone: 'danger' })
const theme = (mode: 'system' | 'light' | 'dark' | 'contrast') => () =>
  void savePreferences({ theme: { mode } }).catch(failed)

defineActions([
  { id: 'palette.open', name: 'app:action.palette', keys: 'Mod+K', icon: Search, keysOnly: true, overDialogs: true },
  { id: 'sidebar.toggle', name: 'app:action.sidebar', keys: 'Mod+Shift+S', icon: PanelLeft },
  { id: 'focus.toggle', name: 'app:action.focus', keys: 'Mod+\\', icon: Maximize, words: 'app:action.focusWords' },
  {
    id: 'settings.open',
    name: 'app:action.settings',
    keys: 'Mod+.',
    icon: Settings,
    run: (go) => go(links.settings()),
  },
  { id: 'shortcuts.list', name: 'app:action.shortcuts', keys: 'Mod+/', icon: Keyboard, overDialogs: true },
  {
    id: 'shortcuts.help',
    name: 'app:action.shortcuts',
    keys: '?',
    keysOnly: true,
    run: () => setView({ dialog: 'shortcuts' }),
  },
  { id: 'theme.system', name: 'app:action.themeSystem', icon: SunMoon, run: theme('system') },
  { id: 'theme.light', name: 'app:action.themeLight', icon: Sun, run: theme('light') },
  { id: 'theme.dark', name: 'app:action.themeDark', icon: Moon, run: theme('dark') },
  { id: 'theme.contrast', name: 'app:action.themeContrast', icon: SunMoon, run: theme('contrast') },
  {
    id: 'account.sign-out',
    name: 'app:action.signOut',
    words: 'app:action.signOutWords',
    icon: LogOut,
    run: () => void signOut().catch(failed),
  },
])

export function useShellActions(): void {
  const { layout } = usePreferences()
  const { dialog, focus } = useView()
  useAction('palette.open', () => setView({ dialog: dialog === 'palette' ? null : 'palette' }))
  useAction('shortcuts.list', () => setView({ dialog: dialog === 'shortcuts' ? null : 'shortcuts' }))
  useAction('focus.toggle', () => setView({ focus: !focus }))
  useAction('sidebar.toggle', () => {
    // In focus mode the sidebar comes back with everything else.
    if (focus) return setView({ focus: false })
    void savePreferences({ layout: { sidebarOpen: !layout.sidebarOpen } }).catch(failed)
  })
}
