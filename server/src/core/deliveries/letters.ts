/**
 * Letters of notifications: a job asks for the words when it sends, so that nothing of them is kept, and what was read or
 * switched off meanwhile is not sent. Only to addresses that were confirmed.
 */
import type { Language } from '@atrium/contract/languages'
import type { Notification } from '@atrium/contract/notifications'
import { z } from 'zod'
import type { Jobs } from '../../platform/jobs/types.ts'
import { defineJob, JobFailure } from '../../platform/jobs/types.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Mail, MailFailure } from '../mail/index.ts'
import { endOfQuiet, type Notifications } from '../notifications/index.ts'
import type { Delivery } from './index.ts'
import { deliveryLocales } from './locales/index.ts'
import { describeNotification } from './sentences.ts'
import { unsubscribeToken } from './unsubscribe.ts'

export interface LettersDeps extends Pick<Platform, 'clock' | 'log' | 'vault'> {
  readonly jobs: { enqueue(...job: Parameters<Jobs['enqueue']>): Promise<unknown> }
  readonly mail: Pick<Mail, 'address' | 'direct' | 'workspaceName'>
  readonly notifications: Pick<Notifications, 'preferencesOf' | 'read'>
  readonly user: (accountId: string) => Promise<{ email: string | null; emailVerified: boolean; status: string } | null>
  readonly languageOf: (accountId: string) => Promise<Language>
}

export const letterJob = 'deliveries.mail'
const Payload = z.strictObject({ deliveryId: z.string(), accountId: z.string(), notificationId: z.string() })
type Payload = z.infer<typeof Payload>
/** The waits grow to five minutes, so a mail server may be away for an hour. */
const attempts = 20
const mostWords = 4000

export const createLetters = (deps: LettersDeps) => {
  const { clock, jobs, log, mail, notifications } = deps

  /** null: there is nothing to send any more. */
  const write = async ({ deliveryId, accountId, notificationId }: Payload, words: boolean) => {
    const [notification, user, address] = await Promise.all([
      notifications.read(accountId, notificationId),
      deps.user(accountId),
      mail.address(),
    ])
    if (!notification || !isNews(notification) || !address) return null
    if (!user?.email || !user.emailVerified || user.status !== 'active') return null
    const language = await deps.languageOf(accountId)
    const { title, body } = describeNotification(notification, language)
    const { stop } = deliveryLocales[language].letter
    const token = unsubscribeToken(deps, accountId, notification.kind)
    // On one line: a line that is nothing but an address would become a link.
    const said = words ? [body.replace(/\s+/g, ' ').slice(0, mostWords)] : []
    const text = [title, ...said, `${address}/notifications/${notificationId}`, stop, `${address}/unsubscribe#${token}`]
    return {
      to: user.email,
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
    if (dueAt === null) return
    if (dueAt > now) {
      // It was tried until quiet hours began. By its own name, so that a second run leaves one job.
      const options = { accountId: null, key: `${deliveryId} ${dueAt}`, delayMs: dueAt - now }
      await jobs.enqueue(letterJob, payload, options)
      return
    }
    const send = await mail.direct()
    const letter = send && (await write(payload, preferences.words))
    if (!letter) return
    try {
      await send(letter)
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error
      log.warn('a notification could not be mailed', { step: error.step, detail: error.message, attempt })
      if (error.isFinal || attempt >= attempts) throw new JobFailure('mail_failed', error.message)
      throw error
    }
  }

  return {
    /** Has an account told by a letter. The same delivery twice is told once. */
    async deliver({ id, accountId, notificationId }: Delivery): Promise<void> {
      const payload: Payload = { deliveryId: id, accountId, notificationId }
      await jobs.enqueue(letterJob, payload, { accountId: null, key: id })
    },
    jobs: {
      [letterJob]: defineJob({
        payload: Payload,
        attempts,
        timeoutMs: 60_000,
        outward: true,
        run: (payload, { attempt }) => run(payload, attempt),
      }),
    },
  }
}

const isNews = ({ readAt, doneAt, snoozedUntil }: Notification): boolean =>
  readAt === null && doneAt === null && snoozedUntil === null
