/**
 * Outgoing mail: one SMTP server for the instance. Letters are kept, sealed, and sent by a job with retries, so that no
 * request waits for a mail server or tells by its time whether there was anything to send. It refuses to say a password
 * over a connection that is not encrypted, unless an administrator chose to have none.
 */
import type { Platform } from '../../platform/platform.ts'
import { storedJson, unlessUnreadable } from '../../platform/stored-json.ts'
import { mailRoutes as routes, type MailTrialStep, mailSteps } from '@atrium/contract/mail'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import { type BoundRoutes, bindRoutes } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { JobFailure, type Jobs, defineJob } from '../../platform/jobs/types.ts'
import type { DiagnosticCheck } from '../../platform/diagnostics/checks.ts'
import type { BoundSettings } from '../../platform/settings/index.ts'
import { mailCheck } from './check.ts'
import { completeChange, faultsOf, type MailConfig, resolveMailConfig, toMailSettings } from './config.ts'
import { MailMessage } from './letter.ts'
import type { MailFields } from './settings.ts'
import { mailMetrics } from './metrics.ts'
import { sendLetter, MailFailure } from './smtp.ts'
import { createMailStore } from './store.ts'
import { mailMigrations } from './tables.ts'

export { mailSettings } from './settings.ts'
export { MailFailure } from './smtp.ts'
export { mailMigrations, mailSealed } from './tables.ts'

export interface MailDeps extends Pick<Platform, 'clock' | 'database' | 'log' | 'metrics' | 'vault'> {
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly settings: BoundSettings<MailFields>
  /** What the workspace is called. */
  readonly workspaceName: () => Promise<string>
  /** The account, or null. */
  readonly user: (accountId: string) => Promise<{ email: string | null; status: string } | null>
}

export interface Mail {
  readonly check: DiagnosticCheck
  readonly area: BoundRoutes<typeof routes>
  /** Switched on, with all that it needs. */
  available(): Promise<boolean>
  /** Where people find this instance, without a slash at its end; null while nobody said. */
  address(): Promise<string | null>
  /** What the workspace is called. */
  workspaceName(): Promise<string>
  /** Keeps a letter for a job. Throws for what is no letter: two lines in a subject, say. */
  send(letter: z.input<typeof MailMessage>): Promise<void>
  /** A way to send at once, with nothing but the mail server as it is set now; null where no mail can be sent. */
  direct(): Promise<SendDirectly | null>
}

/** Throws MailFailure where the mail server does not take the letter. */
export type SendDirectly = (letter: z.input<typeof MailMessage>) => Promise<void>

export const mailJob = 'mail.send'
/** The waits grow to five minutes, so a server may be away for an hour. */
const attempts = 20
const Payload = z.strictObject({ letterId: z.string() })
/** Letters that no job took, or that were refused, are dropped after so long. */
const keptMs = 7 * 24 * 3600_000
const letterJson = storedJson('mail_letters.letter', MailMessage)
const trialWords = (workspace: string) => ({
  workspace,
  subject: `A mail from ${workspace}`,
  text: 'This is the test e-mail you requested in the settings. Sending works.',
})

export const createMail = (deps: MailDeps): Mail => {
  const { database, vault, clock, log, settings } = deps
  const current = async (): Promise<MailConfig> => resolveMailConfig(await settings.read())
  const store = createMailStore(database)
  const figures = deps.metrics?.bind(mailMetrics)
  deps.metrics?.onScrape(async () => figures?.mail_waiting_letters({}, await store.count()))

  const deliver = defineJob({
    payload: Payload,
    attempts,
    timeoutMs: 60_000,
    priority: 'high',
    outward: true,
    async run({ letterId }, { attempt, signal }) {
      const row = await store.find(letterId)
      if (!row) return
      const keyring = await vault.keyring(null)
      const letter = unlessUnreadable(() => letterJson.open(keyring, row.id, row.letter), null)
      if (!letter) {
        await store.drop(letterId)
        throw new JobFailure('mail_failed', 'This e-mail can’t be read.')
      }
      const config = await current()
      const owner = letter.accountId === null ? null : await deps.user(letter.accountId)
      if (!config.available || (letter.accountId !== null && owner?.status !== 'active'))
        return await store.drop(letterId)
      try {
        await sendLetter(config, letter, { signal })
        figures?.mail_letters_total({ outcome: 'sent' })
        await store.drop(letterId)
      } catch (error) {
        if (!(error instanceof MailFailure)) throw error
        log.warn('a mail could not be sent', { step: error.step, detail: error.message, attempt })
        const isRefused = error.isFinal || attempt >= attempts
        figures?.mail_letters_total({ outcome: isRefused ? 'refused' : 'retried' })
        if (isRefused) {
          // Kept for some days: an administrator may have the job tried again once the mail server is right.
          await store.markRefused(letterId, clock.now())
          throw new JobFailure('mail_failed', error.message)
        }
        throw error
      }
    },
  })

  const area = bindRoutes({
    name: 'email',
    routes,
    handlers: {
      async settings(_, { caller }) {
        const user = await deps.user(caller.accountId)
        return toMailSettings(await current(), caller.role, user?.email ?? null)
      },

      async updateSettings({ body }, { caller }) {
        settings.requireFree(body)
        const saved = await settings.change(
          (before) => completeChange(before, body),
          (after) => {
            const faults = faultsOf(resolveMailConfig(after)).map(([name, message]) => ({
              path: `body.${name}`,
              message,
            }))
            if (faults.length > 0) throw fail('validation_failed', undefined, faults)
          },
        )
        const user = await deps.user(caller.accountId)
        return toMailSettings(resolveMailConfig(saved), caller.role, user?.email ?? null)
      },

      async test({ body }, { caller, signal }) {
        const config = await current()
        if (!config.configured)
          throw fail('mail_not_configured', 'Enter the server, the sender and the address of this app first.')
        const to = body.to ?? (await deps.user(caller.accountId))?.email ?? null
        const letter = to === null ? null : MailMessage.parse({ to, ...trialWords(await deps.workspaceName()) })
        return await tryOut(config, letter, clock, signal)
      },
    },
    jobs: { [mailJob]: deliver },
    migrations: mailMigrations,
  })

  return {
    area,
    check: mailCheck(current),
    available: async () => (await current()).available,
    workspaceName: deps.workspaceName,
    address: async () => (await current()).appUrl || null,
    async direct() {
      const config = await current()
      const workspace = await deps.workspaceName()
      if (!config.available) return null
      return async (letter) => {
        try {
          await sendLetter(config, MailMessage.parse(named(letter, workspace)))
          figures?.mail_letters_total({ outcome: 'sent' })
        } catch (error) {
          const outcome = error instanceof MailFailure && !error.isFinal ? 'retried' : 'refused'
          figures?.mail_letters_total({ outcome })
          throw error
        }
      }
    },
    async send(input) {
      const letter = MailMessage.parse(named(input, await deps.workspaceName()))
      const id = clock.id()
      const now = clock.now()
      const row = {
        id,
        letter: letterJson.seal(await vault.keyring(null), id, letter),
        created_at: now,
        refused_at: null,
      }
      await store.insert(row, now - keptMs)
      await deps.jobs.enqueue(mailJob, { letterId: id }, { accountId: null })
    },
  }
}

/** With the name of the workspace at its foot. */
const named = (letter: z.input<typeof MailMessage>, workspace: string) => Object.assign({ workspace }, letter)

/** Goes through the steps and tells each; what comes after the one that failed was not tried. */
const tryOut = async (config: MailConfig, letter: MailMessage | null, clock: Clock, signal: AbortSignal) => {
  const steps: MailTrialStep[] = []
  let began = clock.now()
  const tell = (step: MailTrialStep['step'], state: MailTrialStep['state'], detail: string | null) => {
    steps.push({ step, state, detail, durationMs: clock.now() - began })
    began = clock.now()
  }
  let ok = true
  try {
    await sendLetter(config, letter, { note: tell, signal })
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    ok = false
    tell(error.step, 'failed', error.message)
  }
  const went = (name: string) => steps.some(({ step, state }) => step === name && state === 'ok')
  for (const step of mailSteps.filter((name) => !steps.some((told) => told.step === name)))
    steps.push({ step, state: 'skipped', detail: null, durationMs: 0 })
  return { ok, authenticated: went('authenticate'), sentTo: went('accept') ? (letter?.to ?? null) : null, steps }
}
