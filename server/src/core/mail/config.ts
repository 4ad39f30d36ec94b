/** How mail is sent: what the environment fixes, then what was saved, then the usual. */
import type { SettingSource } from '@atrium/contract/common'
import { type EmailSettings, type MailField, MailSecurity, mailFields } from '@atrium/contract/mail'
import { z } from 'zod'
import { readSender } from './letter.ts'

/** What the environment fixes; absent members are free. */
export interface MailEnvironment {
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly security?: MailSecurity | undefined
  readonly username?: string | undefined
  /** A function, so that it is not printed with the rest. */
  readonly password: () => string | undefined
  readonly from?: string | undefined
  readonly rejectUnauthorized?: boolean | undefined
  /** BASE_URL */
  readonly appUrl?: string | undefined
}

/** As it is kept, sealed with the settings of the instance. Absent: nobody said. */
export const SavedMailConfig = z.object({
  enabled: z.boolean().optional(),
  host: z.string().optional(),
  port: z.number().int().optional(),
  security: MailSecurity.optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  from: z.string().optional(),
  rejectUnauthorized: z.boolean().optional(),
  appUrl: z.string().optional(),
})
export type SavedMailConfig = z.infer<typeof SavedMailConfig>

export interface MailConfig {
  readonly enabled: boolean
  readonly host: string
  readonly port: number
  readonly security: MailSecurity
  readonly username: string
  readonly password: string
  readonly from: string
  readonly rejectUnauthorized: boolean
  /** Without a slash at its end; empty where nobody said. */
  readonly appUrl: string
  /** Host, sender and the address of the instance are there. */
  readonly configured: boolean
  readonly available: boolean
  readonly sources: Readonly<Record<MailField, SettingSource>>
}

const usualPorts: Readonly<Record<MailSecurity, number>> = { tls: 465, starttls: 587, none: 25 }

export const resolveMailConfig = (saved: SavedMailConfig, environment: MailEnvironment): MailConfig => {
  const fixed: SavedMailConfig = { ...environment, enabled: undefined, password: environment.password() }
  const security = fixed.security ?? saved.security ?? 'starttls'
  const usual = {
    host: '',
    port: usualPorts[security],
    security,
    username: '',
    password: '',
    from: '',
    rejectUnauthorized: true,
    appUrl: '',
  }
  const one = { ...usual, ...defined(saved), ...defined(fixed) }
  const configured = one.host !== '' && readSender(one.from) !== null && one.appUrl !== ''
  // Who puts server and sender into the environment wants mail, unless somebody switched it off.
  const enabled = saved.enabled ?? Boolean(fixed.host && fixed.from && configured)
  const source = (name: MailField): SettingSource =>
    fixed[name] !== undefined ? 'environment' : saved[name] !== undefined ? 'saved' : 'default'
  return {
    ...one,
    appUrl: one.appUrl.replace(/\/+$/, ''),
    enabled,
    configured,
    available: enabled && configured,
    sources: Object.fromEntries(mailFields.map((name) => [name, source(name)])) as Record<MailField, SettingSource>,
  }
}

/** The variable that fixes a field. */
export const environmentNames: Readonly<Record<Exclude<MailField, 'enabled'>, string>> = {
  host: 'SMTP_HOST',
  port: 'SMTP_PORT',
  security: 'SMTP_SECURITY',
  username: 'SMTP_USERNAME',
  password: 'SMTP_PASSWORD',
  from: 'SMTP_FROM',
  rejectUnauthorized: 'SMTP_TLS_REJECT_UNAUTHORIZED',
  appUrl: 'BASE_URL',
}

export type MailChange = { readonly [K in keyof SavedMailConfig]?: SavedMailConfig[K] | null | undefined }

/**
 * The saved document after a change: empty texts and null clear a field, absent ones stay. A password belongs to the
 * server that it was given for, so another host without a password has none.
 */
export const applyChange = (before: SavedMailConfig, change: MailChange): SavedMailConfig => {
  const { host, password } = change
  const moved = host !== undefined && (host ?? '') !== (before.host ?? '') && password === undefined
  const merged = { ...before, ...defined(change), ...(moved ? { password: '', username: change.username ?? '' } : {}) }
  return Object.fromEntries(
    Object.entries(merged).filter(([, value]) => value !== '' && value !== null),
  ) as SavedMailConfig
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

const defined = <T extends object>(change: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as never
