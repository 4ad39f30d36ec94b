import { Info, Keyboard, MessageSquare, Palette, Plug, Server, ShieldCheck, UserRound, UsersRound } from 'lucide-react'
import { lazy } from 'react'
import type { SettingsSection } from '../../lib/settings.ts'
import './texts.ts'

const entry = (section: string, id: string, more: { adminOnly?: boolean } = {}) => ({
  id,
  name: `settings:${section}.${id}`,
  words: `settings:words.${section}.${id}`,
  ...more,
})
const entries = (section: string, ids: string[]) => ids.map((id) => entry(section, id))

/** The sections of the settings, with all that search can find. */
export const sections: SettingsSection[] = [
  {
    id: 'profile',
    name: 'settings:profile.name',
    icon: UserRound,
    order: 10,
    page: lazy(() => import('./account/profile.tsx').then((module) => ({ default: module.Profile }))),
    entries: entries('profile', ['displayName', 'username', 'email']),
  },
  {
    id: 'appearance',
    name: 'settings:appearance.name',
    icon: Palette,
    order: 20,
    page: lazy(() => import('./account/appearance.tsx').then((module) => ({ default: module.Appearance }))),
    entries: entries('appearance', [
      'theme',
      'accent',
      'language',
      'density',
      'textSize',
      'textWidth',
      'messageStyle',
      'motion',
    ]),
  },
  {
    id: 'chat',
    name: 'settings:chat.name',
    icon: MessageSquare,
    order: 30,
    page: lazy(() => import('./account/chat.tsx').then((module) => ({ default: module.ChatSettingsPage }))),
    entries: entries('chat', [
      'defaultModel',
      'sendKey',
      'follow',
      'showThinking',
      'generateTitles',
      'followUps',
      'pasteAsFile',
      'pasteThreshold',
      'systemMessage',
      'temperature',
      'maxTokens',
      'contextWindow',
    ]),
  },
  {
    id: 'shortcuts',
    name: 'settings:shortcuts.name',
    icon: Keyboard,
    order: 40,
    page: lazy(() => import('./account/shortcuts.tsx').then((module) => ({ default: module.Shortcuts }))),
    entries: entries('shortcuts', ['enabled', 'keys']),
  },
  {
    id: 'connections',
    name: 'settings:connections.name',
    icon: Plug,
    order: 50,
    page: lazy(() => import('./connections/page.tsx').then((module) => ({ default: module.Connections }))),
    entries: [
      entry('connections', 'list'),
      entry('connections', 'add', { adminOnly: true }),
      entry('connections', 'runtime', { adminOnly: true }),
    ],
  },
  {
    id: 'security',
    name: 'settings:security.name',
    icon: ShieldCheck,
    order: 60,
    page: lazy(() => import('./account/security.tsx').then((module) => ({ default: module.Security }))),
    entries: entries('security', ['password', 'sessions']),
  },
  {
    id: 'people',
    name: 'settings:people.name',
    icon: UsersRound,
    order: 70,
    adminOnly: true,
    page: lazy(() => import('./instance/people.tsx').then((module) => ({ default: module.People }))),
    entries: entries('people', ['waiting', 'accounts']),
  },
  {
    id: 'instance',
    name: 'settings:instance.name',
    icon: Server,
    order: 80,
    adminOnly: true,
    page: lazy(() => import('./instance/instance.tsx').then((module) => ({ default: module.Instance }))),
    entries: entries('instance', ['signup', 'privateAddresses', 'compaction']),
  },
  {
    id: 'about',
    name: 'settings:about.name',
    icon: Info,
    order: 90,
    page: lazy(() => import('./instance/about.tsx').then((module) => ({ default: module.About }))),
    entries: entries('about', ['version', 'interface']),
  },
]
