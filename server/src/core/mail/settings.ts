/** How mail is sent. Where nobody says which port, or whether mail is on, it follows from the rest. */
import { MailSecurity } from '@atrium/contract/mail'
import { z } from 'zod'
import { defineSettings, setting, webAddress } from '../../platform/settings/index.ts'

const port = z.number().int().min(1).max(65_535)

const mail = defineSettings(
  {
    enabled: setting(z.boolean(), { default: null }),
    host: setting(z.string(), {
      default: '',
      env: 'SMTP_HOST',
      parse: z
        .string()
        .trim()
        .regex(/^[A-Za-z0-9.:[\]-]{1,253}$/, 'must be a host name or an address'),
      about: 'the mail server; it may be in your own network ([docs/mail.md](docs/mail.md))',
    }),
    port: setting(port, {
      default: null,
      env: 'SMTP_PORT',
      about: 'its port; the default depends on `SMTP_SECURITY`',
    }),
    security: setting(MailSecurity, {
      default: 'starttls',
      env: 'SMTP_SECURITY',
      about: 'how the connection is secured: `tls`, `starttls` or `none`',
    }),
    username: setting(z.string(), {
      default: '',
      env: 'SMTP_USERNAME',
      parse: z.string().trim().max(320),
      needs: ['SMTP_PASSWORD'],
      about: 'its user name',
    }),
    password: setting(z.string(), {
      default: '',
      secret: true,
      env: 'SMTP_PASSWORD',
      parse: z.string().max(1024),
      // A password belongs to one server; without its name it could be said to any.
      needs: ['SMTP_HOST', 'SMTP_USERNAME'],
      about: 'its password',
    }),
    from: setting(z.string(), {
      default: '',
      env: 'SMTP_FROM',
      parse: z.string().trim().max(320),
      about: 'the sender: an address, or `Name <address>`',
    }),
    rejectUnauthorized: setting(z.boolean(), {
      default: true,
      env: 'SMTP_TLS_REJECT_UNAUTHORIZED',
      about: 'whether to refuse certificates that can’t be verified',
    }),
    appUrl: setting(z.string(), {
      default: '',
      env: 'BASE_URL',
      parse: webAddress('https://chat.example.org').transform((url) => url.origin),
    }),
  },
  { row: 'mail' },
)

export const mailSettings = { mail }

export type MailFields = typeof mail.fields
