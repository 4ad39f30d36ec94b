/**
 * Letters of notifications: a job asks for the words when it sends, so that nothing of them is kept, and what was read or
 * switched off meanwhile is not sent. Only to addresses that were confirmed.
 */
import type { Language } from '@atrium/contract/languages'
import type { DeliveryReason, Notification } from '@atrium/contract/notifications'
import { z } from 'zod'
import type { Job } from '@atrium/contract/durable-jobs'
import type { Jobs } from '../../platform/jobs/types.ts'
import { defineJob } from '../../platform/jobs/types.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Mail } from '../mail/index.ts'
import { endOfQuiet, type Notifications } from '../notifications/index.ts'
import type { Delivery, NoteOutcome, Outcome } from './index.ts'
import { deliveryLocales } from './locales/index.ts'
import { letterJobLimits, sendAndNote } from './send-and-note.ts'
import { describeNotification } from './sentences.ts'
import { unsubscribeToken } from './unsubscribe.ts'

export interface LettersDeps extends Pick<Platform, 'clock' | 'log' | 'vault'> {
  readonly jobs: { enqueue(...job: Parameters<Jobs['enqueue']>): Promise<Pick<Job, 'state'>> }
  readonly mail: Pick<Mail, 'address' | 'direct' | 'workspaceName'>
  readonly notifications: Pick<Notifications, 'preferencesOf' | 'read'>
  readonly user: (accountId: string) => Promise<{ email: string | null; emailVerified: boolean; status: string } | null>
  readonly languageOf: (accountId: string) => Promise<Language>
  readonly note: NoteOutcome
}

export const letterJob = 'deliveries.mail'
const Payload = z.strictObject({ deliveryId: z.string(), accountId: z.string(), notificationId: z.string() })
type Payload = z.infer<typeof Payload>
const mostWords = 4000

/** The confirmed address of an account that takes mail, or null. */
export const mailAddressOf = async (user: LettersDeps['user'], accountId: string): Promise<string | null> => {
  const found = await user(accountId)
  return found?.email && found.emailVerified && found.status === 'active' ? found.email : null
}

export const notSent = (reason: DeliveryReason): Outcome => ({ state: 'not-sent', reason })

/** It was not read, done or put off. */
export const isNews = ({ readAt, doneAt, snoozedUntil }: Notification): boolean =>
  readAt === null && doneAt === null && snoozedUntil === null

export const createLetters = (deps: LettersDeps) => {
  const { clock, jobs, log, mail, notifications } = deps
  const note = (accountId: string, notificationId: string, outcome: Outcome) =>
    deps.note(accountId, [notificationId], 'mail', outcome)

  /** Why there is nothing to send, where that is so. */
  const write = async ({ deliveryId, accountId, notificationId }: Payload, words: boolean) => {
    const [notification, to, address] = await Promise.all([
      notifications.read(accountId, notificationId),
      mailAddressOf(deps.user, accountId),
      mail.address(),
    ])
    if (!notification || !isNews(notification)) return 'read-before'
    if (!address || to === null) return 'no-destination'
    const language = await deps.languageOf(accountId)
    const { title, body } = describeNotification(notification, language)
    const { stop } = deliveryLocales[language].letter
    const token = unsubscribeToken(deps, accountId, notification.kind)
    // On one line: a line that is nothing but an address would become a link.
    const said = words ? [body.replace(/\s+/g, ' ').slice(0, mostWords)] : []
    const text = [title, ...said, `${address}/notifications/${notificationId}`, stop, `${address}/unsubscribe#${token}`]
    return {
      to,
      language,
      subject: `${title} · ${await mail.workspaceName()}`,
      text: text.join('\n\n'),
      reference: deliveryId,
      unsubscribe: `${address}/api/unsubscribe/${token}`,
    }
  }

  const run = async (payload: Payload, attempt: number): Promise<void> => {
    const { deliveryId, accountId, notificationId } = payload
    const preferences = await notifications.preferencesOf(accountId)
    const kind = (await notifications.read(accountId, notificationId))?.kind
    if (!kind || preferences.kinds[kind].mail !== 'now') return
    const now = clock.now()
    const dueAt = endOfQuiet(preferences, now)
    if (dueAt === null) return await note(accountId, notificationId, notSent('quiet-hours'))
    if (dueAt > now) {
      // It was tried until quiet hours began. By its own name, so that a second run leaves one job.
      const options = { accountId: null, key: `${deliveryId} ${dueAt}`, delayMs: dueAt - now }
      await jobs.enqueue(letterJob, payload, options)
      return
    }
    const send = await mail.direct()
    const letter = await write(payload, preferences.words)
    if (typeof letter === 'string') return await note(accountId, notificationId, notSent(letter))
    if (!send) return await note(accountId, notificationId, notSent('no-destination'))
    const noteSent = (outcome: Outcome) => note(accountId, notificationId, outcome)
    await sendAndNote({ log, send, letter, attempt, reason: null, note: noteSent })
  }

  return {
    /** Has an account told by a letter. The same delivery twice is told once. */
    async deliver({ id, accountId, notificationId }: Delivery): Promise<null> {
      if ((await mailAddressOf(deps.user, accountId)) === null) {
        await note(accountId, notificationId, notSent('no-destination'))
        return null
      }
      // Before the job, which notes how it ended.
      await note(accountId, notificationId, { state: 'waiting', reason: null })
      const payload: Payload = { deliveryId: id, accountId, notificationId }
      await jobs.enqueue(letterJob, payload, { accountId: null, key: id })
      return null
    },
    jobs: {
      [letterJob]: defineJob({
        payload: Payload,
        ...letterJobLimits,
        run: (payload, { attempt }) => run(payload, attempt),
      }),
    },
  }
}
