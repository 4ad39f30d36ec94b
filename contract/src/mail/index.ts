/** Outgoing e-mail: the one SMTP server of the instance, for its administrators. */
import { area } from '../area.ts'
import { mailDescription } from './area.ts'
import { z } from 'zod'
import { Email } from '../accounts/account.ts'
import { SettingSource } from '../common.ts'
import { routes } from '../route.ts'

/** `tls` from the first byte, `starttls` before anything is said, or `none`. */
export const MailSecurity = z.enum(['tls', 'starttls', 'none'])
export type MailSecurity = z.infer<typeof MailSecurity>

export const mailFields = [
  'enabled',
  'host',
  'port',
  'security',
  'username',
  'password',
  'from',
  'rejectUnauthorized',
  'appUrl',
] as const
export type MailField = (typeof mailFields)[number]

export const EmailSettings = z.strictObject({
  /** Switched on, with all that it needs. */
  available: z.boolean(),
  enabled: z.boolean(),
  /** The caller's own address. */
  recipient: z.string().nullable(),
  /** What follows is for administrators only. */
  host: z.string().optional(),
  port: z.number().int().optional(),
  security: MailSecurity.optional(),
  username: z.string().optional(),
  /** The password itself is in no answer. */
  passwordConfigured: z.boolean().optional(),
  from: z.string().optional(),
  /** Whether a certificate that cannot be checked is refused. */
  rejectUnauthorized: z.boolean().optional(),
  /** Where people find this instance; links in mails begin with it. */
  appUrl: z.string().optional(),
  /** Host, sender and address of the instance are there. */
  configured: z.boolean().optional(),
  sources: z.strictObject(Object.fromEntries(mailFields.map((name) => [name, SettingSource])) as Sources).optional(),
})
export type EmailSettings = z.infer<typeof EmailSettings>
type Sources = Record<MailField, typeof SettingSource>

/** The steps of a trial, in their order. */
export const mailSteps = ['resolve', 'connect', 'secure', 'authenticate', 'accept'] as const
export type MailStep = (typeof mailSteps)[number]

export const MailTrialStep = z.strictObject({
  step: z.enum(mailSteps),
  state: z.enum(['ok', 'failed', 'skipped']),
  /** What was found, or why it failed, for people. */
  detail: z.string().nullable(),
  durationMs: z.number().int(),
})
export type MailTrialStep = z.infer<typeof MailTrialStep>

const noBreaks = /^[^\p{Cc}]*$/u
const line = (most: number) => z.string().trim().max(most).regex(noBreaks, 'it must be one line')

export const mailRoutes = routes({
  settings: {
    method: 'get',
    path: '/api/email/settings',
    access: 'user',
    summary: 'Get whether the instance sends e-mail. Administrators also get the settings',
    returns: EmailSettings,
  },
  updateSettings: {
    method: 'put',
    path: '/api/email/settings',
    access: 'admin',
    forPeople: true,
    proof: true,
    audit: 'setting.change',
    summary: 'Update how e-mail is sent. An empty text clears a field; the password is kept if you leave it out',
    body: z.strictObject({
      enabled: z.boolean().optional(),
      host: z
        .string()
        .trim()
        .max(253)
        .regex(/^[A-Za-z0-9.:[\]-]*$/, 'write it as a host name or an address')
        .optional(),
      /** null: the usual one for the kind of connection. */
      port: z.number().int().min(1).max(65_535).nullable().optional(),
      security: MailSecurity.optional(),
      username: line(320).optional(),
      password: z.string().max(1024).regex(noBreaks, 'it must be one line').optional(),
      /** `Name <address>` or an address alone. */
      from: line(320).optional(),
      rejectUnauthorized: z.boolean().optional(),
      appUrl: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(500)]).optional(),
    }),
    returns: EmailSettings,
    errors: ['setting_locked'],
  },
  test: {
    method: 'post',
    path: '/api/email/test',
    access: 'admin',
    limit: 'connect',
    summary: 'Test the mail server step by step and send an e-mail, by default to your own address',
    body: z.strictObject({ to: Email.optional() }),
    returns: z.strictObject({
      ok: z.boolean(),
      authenticated: z.boolean(),
      /** null when there was no address, or it was not reached that far. */
      sentTo: z.string().nullable(),
      steps: z.array(MailTrialStep),
    }),
    errors: ['mail_not_configured'],
  },
})

export const mailArea = area(mailDescription, {
  routes: mailRoutes,
  shapes: { EmailSettings, MailTrialStep },
})
