/** How mail is sent: what the environment fixes, then what was saved, then the usual. */
import type { SettingSource } from '@atrium/contract/common'
import { type EmailSettings, type MailField, type MailSecurity, mailFields } from '@atrium/contract/mail'
import {
  type EffectiveSetting,
  type EffectiveSettings,
  type SettingChange,
  valuesOf,
} from '../../platform/settings/index.ts'
import { readSender } from './letter.ts'
import type { MailFields } from './settings.ts'
import type { MailServer } from './smtp.ts'

export interface MailConfig extends MailServer {
  readonly enabled: boolean
  /** Without a slash at its end; empty where nobody said. */
  readonly appUrl: string
  /** Host, sender and the address of the instance are there. */
  readonly configured: boolean
  readonly available: boolean
  readonly sources: Readonly<Record<MailField, SettingSource>>
}

const usualPorts: Readonly<Record<MailSecurity, number>> = { tls: 465, starttls: 587, none: 25 }

export const resolveMailConfig = (readings: EffectiveSettings<MailFields>): MailConfig => {
  const { enabled, port, ...given } = valuesOf(readings)
  const configured = given.host !== '' && readSender(given.from) !== null && given.appUrl !== ''
  // Who puts server and sender into the environment wants mail, unless somebody switched it off.
  const isWanted = readings.host.source === 'environment' && readings.from.source === 'environment'
  const isEnabled = enabled ?? (isWanted && configured)
  return {
    ...given,
    port: port ?? usualPorts[given.security],
    appUrl: given.appUrl.replace(/\/+$/, ''),
    enabled: isEnabled,
    configured,
    available: isEnabled && configured,
    sources: Object.fromEntries(mailFields.map((name) => [name, sourceOf(readings[name])])) as MailConfig['sources'],
  }
}

/** What cannot be read is as good as none. */
const sourceOf = ({ source }: EffectiveSetting<unknown>): SettingSource =>
  source === 'unreadable' ? 'default' : source

export type MailChange = SettingChange<MailFields>

/**
 * A change as it is saved: empty texts clear a field. A password belongs to the server that it was given for, so another
 * host without a password has none.
 */
export const completeChange = (before: EffectiveSettings<MailFields>, change: MailChange): MailChange => {
  const { host, password } = change
  const isMoved = host !== undefined && (host ?? '') !== before.host.value && password === undefined
  const whole = isMoved ? { ...change, password: null, username: change.username ?? null } : change
  return Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, value === '' ? null : value]))
}

/** What is wrong with settings, as field and words. */
export const faultsOf = ({ enabled, host, username, password, from, appUrl }: MailConfig): [MailField, string][] => [
  ...(from !== '' && readSender(from) === null
    ? [['from', 'write it as an address, or as Name <address>'] as [MailField, string]]
    : []),
  ...((username === '') !== (password === '')
    ? [[username === '' ? 'username' : 'password', 'user name and password go together'] as [MailField, string]]
    : []),
  ...(enabled
    ? (
        [
          ['host', host],
          ['from', from],
          ['appUrl', appUrl],
        ] as const
      ).flatMap(([name, value]) =>
        value === '' ? [[name, 'mail cannot be switched on without it'] as [MailField, string]] : [],
      )
    : []),
]

export const toMailSettings = (config: MailConfig, role: 'admin' | 'user', recipient: string | null): EmailSettings => {
  const { password, ...shown } = config
  const open = { available: config.available, enabled: config.enabled, recipient }
  return role === 'admin' ? { ...shown, ...open, passwordConfigured: password !== '' } : open
}
