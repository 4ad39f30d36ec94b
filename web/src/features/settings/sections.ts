import { Info, Keyboard, Palette, Server, ShieldCheck, UserRound } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../lib/settings.ts'
import 'virtual:words/settings'

/** What belongs to the account, its look and the instance. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'profile',
      name: 'settings:profile.name',
      icon: UserRound,
      group: 'you',
      order: 10,
      page: lazy(() => import('./profile/profile.tsx').then((module) => ({ default: module.Profile }))),
      entries: settingsEntries('settings', ['picture', 'displayName', 'username', 'email'], { section: 'profile' }),
    },
    {
      id: 'appearance',
      name: 'settings:appearance.name',
      icon: Palette,
      group: 'you',
      order: 20,
      page: lazy(() => import('./profile/appearance.tsx').then((module) => ({ default: module.Appearance }))),
      entries: settingsEntries(
        'settings',
        ['theme', 'accent', 'language', 'timeZone', 'density', 'textSize', 'textWidth', 'messageStyle', 'motion'],
        { section: 'appearance' },
      ),
    },
    {
      id: 'shortcuts',
      name: 'settings:shortcuts.name',
      icon: Keyboard,
      group: 'you',
      order: 40,
      page: lazy(() => import('./profile/shortcuts.tsx').then((module) => ({ default: module.Shortcuts }))),
      entries: settingsEntries('settings', ['enabled', 'keys'], { section: 'shortcuts' }),
    },
    {
      id: 'security',
      name: 'settings:security.name',
      icon: ShieldCheck,
      group: 'you',
      order: 60,
      page: lazy(() => import('./security/page.tsx').then((module) => ({ default: module.Security }))),
      entries: settingsEntries(
        'settings',
        ['password', 'secondFactor', 'passkeys', 'identities', 'sessions', 'sharedByMe', 'supportAccess'],
        { section: 'security' },
      ),
    },
    {
      id: 'instance',
      name: 'settings:instance.name',
      icon: Server,
      group: 'workspace',
      order: 80,
      adminOnly: true,
      page: lazy(() => import('./instance/instance.tsx').then((module) => ({ default: module.Instance }))),
      entries: settingsEntries(
        'settings',
        ['signup', 'chatLinks', 'artifactLinks', 'defaultTheme', 'privateAddresses'],
        {
          section: 'instance',
        },
      ),
    },
    {
      id: 'about',
      name: 'settings:about.name',
      icon: Info,
      group: 'you',
      order: 90,
      page: lazy(() => import('./instance/about.tsx').then((module) => ({ default: module.About }))),
      entries: [
        ...settingsEntries('settings', ['version', 'interface'], { section: 'about' }),
        { id: 'licence', name: 'settings:about.licence', words: 'settings:words.about.licence' },
      ],
    },
  ],
}
