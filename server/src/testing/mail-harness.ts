/**
 * Accounts with mail on a real database behind real HTTP, with jobs that run and a mail server that speaks SMTP. Ann is
 * the administrator. Mail is off until a test switches it on.
 */
import { randomBytes } from 'node:crypto'
import { type User, accountsRoutes } from '@atrium/contract/accounts'
import { mailRoutes } from '@atrium/contract/mail'
import { createMail, type Mail, mailMigrations, mailSettings } from '../core/mail/index.ts'
import { createSettings, settingsMigrations, instanceSettings } from '../core/settings/index.ts'
import { auditSettings, createAuditArea } from '../features/audit/index.ts'
import { createUserAdministration } from '../features/user-administration/index.ts'
import { createAudit } from '../platform/audit/index.ts'
import type { Database } from '../platform/db/index.ts'
import { createEventLog } from '../platform/events/event-log.ts'
import { eventMigrations } from '../platform/events/tables.ts'
import { createJobs } from '../platform/jobs/jobs.ts'
import { jobMigrations } from '../platform/jobs/tables.ts'
import type { Jobs } from '../platform/jobs/types.ts'
import { createLog } from '../platform/log/log.ts'
import type { Environment } from '../platform/settings/index.ts'
import { openVault } from '../platform/vault/vault.ts'
import { noUse } from './people.ts'
import { createTestAccounts, type TestAccounts, testAccountMigrations } from './accounts.ts'
import type { Client } from './client.ts'
import { realClock } from './clock.ts'
import type { Open } from './databases.ts'
import { serveAccounts } from './serve-accounts.ts'
import { savedSettings } from './settings.ts'
import { signedIn } from './sign-in.ts'
import { type SmtpOptions, type SmtpServer, startSmtpServer } from './smtp.ts'

export interface MailHarness {
  readonly database: Database
  readonly accounts: TestAccounts
  readonly smtp: SmtpServer
  readonly mail: Mail
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly guest: Client
  /** The administrator. */
  readonly ann: Client
  readonly annId: string
  /** Every line of the log, of all parts. */
  readonly lines: readonly string[]
  /** Moves the time of the harness. */
  advance(ms: number): void
  /** Makes an active account and signs it in. */
  account(username: string, more?: { email?: string; role?: User['role'] }): Promise<{ user: User; client: Client }>
  switchMailOn(): Promise<void>
  switchMailOff(): Promise<void>
  /** The secret in the link of the newest of so many mails to somebody. */
  linkIn(to: string, count?: number): Promise<string>
  close(): Promise<void>
}

export const mailPassword = 'a long enough password'
export const appUrl = 'https://atrium.example.org'

export const openMailHarness = async (
  open: Open,
  options: { smtp?: SmtpOptions; environment?: (smtp: SmtpServer) => Environment } = {},
): Promise<MailHarness> => {
  const smtp = await startSmtpServer(options.smtp)
  let ahead = 0
  const clock = { ...realClock, now: () => realClock.now() + ahead }
  const lines: string[] = []
  const log = createLog({ level: 'debug', write: (line) => void lines.push(line) })
  const database = await open([
    ...[...testAccountMigrations, ...settingsMigrations, ...mailMigrations],
    ...[...eventMigrations, ...jobMigrations],
  ])
  const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
  const audit = createAudit({ database, vault, clock })
  const processId = clock.id()
  await database.holdPresence(processId)
  const parts = { database, vault, clock, log, processId }
  const events = createEventLog(parts)
  const jobs = createJobs({ ...parts, events, concurrency: 4, tuning: { backoffMs: 20, pollMs: 50 } })
  const announce = async () => undefined
  const saved = savedSettings({ database, vault, clock }, options.environment?.(smtp))
  const settings = createSettings({
    database,
    vault,
    clock,
    announce,
    announceAll: announce,
    saved,
    ...saved.bind(instanceSettings),
  })
  const mail = createMail({
    metrics: null,
    database,
    vault,
    clock,
    jobs,
    log,
    settings: saved.bind(mailSettings).mail,
    workspaceName: async () => 'Atrium',
    user: (accountId) => accounts.user(accountId),
  })
  const accounts: TestAccounts = createTestAccounts({
    database,
    vault,
    clock,
    log,
    audit,
    announce,
    mail,
    enqueue: jobs.enqueue,
    signupEnabled: async () => false,
    async languageOf(accountId) {
      const { language } = await settings.preferencesOf(accountId)
      return language === 'system' ? undefined : language
    },
    async timeZoneOf(accountId) {
      const { timeZone } = await settings.preferencesOf(accountId)
      return timeZone === 'system' ? undefined : timeZone
    },
  })
  const areas = [
    ...[
      ...accounts.areas,
      settings.area,
      mail.area,
      createUserAdministration({ ...accounts, ...noUse, accounts, audit }),
    ],
    createAuditArea({
      audit,
      settings: saved.bind(auditSettings).audit,
      clock,
      namesOf: accounts.accountNames.names,
      groupNamesOf: accounts.groups.names,
    }),
  ]
  const served = await serveAccounts(accounts, {
    areas,
    clock,
    audit,
  })
  jobs.start(areas.map((area) => area.jobs ?? {}))
  const signIn = async (username: string) => {
    const body = { username, password: mailPassword }
    return served.guest.as(signedIn(await served.guest.call(accountsRoutes.login, { body })).token)
  }
  const first = await accounts.createAccount({
    username: 'ann',
    password: mailPassword,
    role: 'admin',
    email: 'ann@example.org',
  })
  const ann = await signIn('ann')

  return {
    database,
    accounts,
    smtp,
    mail,
    jobs,
    ann,
    annId: first.id,
    guest: served.guest,
    get lines() {
      return [...lines, ...served.lines]
    },
    advance: (ms) => {
      ahead += ms
    },
    async account(username, more = {}) {
      const user = await accounts.createAccount({ username, password: mailPassword, ...more })
      return { user, client: await signIn(username) }
    },
    async switchMailOn() {
      await ann.call(mailRoutes.updateSettings, {
        body: {
          enabled: true,
          host: 'localhost',
          port: smtp.port,
          security: 'none',
          appUrl,
          from: 'Atrium <atrium@example.org>',
        },
      })
    },
    async switchMailOff() {
      await ann.call(mailRoutes.updateSettings, { body: { enabled: false } })
    },
    async linkIn(to, count = 1) {
      const mails = await smtp.waitFor(to, count)
      const links = mails.flatMap(({ mail }) => /#(atl_[\w-]{43})/.exec(mail.text ?? '')?.[1] ?? [])
      const found = links.at(-1)
      if (!found) throw new Error(`the mail to ${to} holds no link`)
      return found
    },
    async close() {
      await jobs.stop()
      await served.stop()
      settings.close()
      await events.stop()
      await smtp.close()
    },
  }
}
