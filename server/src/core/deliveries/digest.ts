/**
 * The digest: one mail a day, at the time that its reader chose, with all unread notifications of the kinds set to digest.
 * A job for each account and day reads the texts when it sends, so that they are not stored twice. A notification that
 * waits for a digest is marked so before the job is made: it is in one digest, whichever job comes first.
 */
import type { Notification, NotificationPreferences } from '@atrium/contract/notifications'
import { z } from 'zod'
import { defineJob, type JobContext } from '../../platform/jobs/types.ts'
import { createCron } from '../../platform/time/index.ts'
import { endOfQuiet, type Notifications } from '../notifications/index.ts'
import type { Delivery, Outcome } from './index.ts'
import { type LettersDeps, mailAddressOf, notSent } from './letters.ts'
import { deliveryLocales } from './locales/index.ts'
import { letterJobLimits, sendAndNote } from './send-and-note.ts'
import { describeNotification } from './sentences.ts'
import { unsubscribeToken } from './unsubscribe.ts'

export const digestJob = 'deliveries.digest'
/** Milliseconds: when it is sent, and since when something waits for it. */
const Payload = z.strictObject({ accountId: z.string(), dueAt: z.number(), since: z.number() })
type Payload = z.infer<typeof Payload>

/** One letter tells of so many; the rest stands in the inbox. */
const mostTold = 30
/** A letter holds 6,000 characters, with the two addresses at its end. */
const mostLetters = 5000

export interface DigestDeps extends Omit<LettersDeps, 'notifications'> {
  readonly notifications: LettersDeps['notifications'] & Pick<Notifications, 'unreadAmong'>
  /** The notifications of an account that wait for a digest; of very many some. */
  readonly waiting: (accountId: string) => Promise<readonly string[]>
}

/** When the digest that follows a time is sent. */
export const digestAfter = (
  { digestAt, timeZone }: Pick<NotificationPreferences, 'digestAt' | 'timeZone'>,
  time: number,
): number => {
  const [hour, minute] = digestAt.split(':').map(Number)
  // A time of every day always comes again.
  return createCron(`${minute} ${hour} * * *`, timeZone).next(time) as number
}

export const createDigests = (deps: DigestDeps) => {
  const { clock, jobs, log, mail, notifications } = deps
  const schedule = ({ accountId, dueAt, since }: Payload, key: string) =>
    jobs.enqueue(
      digestJob,
      { accountId, dueAt, since },
      // The first one makes the job.
      { accountId: null, key, keyUntil: 'ended', delayMs: Math.max(0, dueAt - clock.now()) },
    )

  const write = async (accountId: string, to: string, address: string, told: readonly Notification[]) => {
    const { words } = await notifications.preferencesOf(accountId)
    const language = await deps.languageOf(accountId)
    const { subject, inbox, more, stop } = deliveryLocales[language].digest
    const lines: string[] = []
    let isCut = told.length > mostTold
    for (const notification of told.slice(0, mostTold)) {
      const { title, body } = describeNotification(notification, language)
      const line = words ? `${title}\n${body.replace(/\s+/g, ' ')}` : title
      if (lines.join('\n\n').length + line.length > mostLetters) {
        isCut = true
        break
      }
      lines.push(line)
    }
    const token = unsubscribeToken(deps, accountId, 'digest')
    return {
      to,
      language,
      subject: `${subject} · ${await mail.workspaceName()}`,
      text: [...lines, isCut ? more : inbox, `${address}/notifications`, stop, `${address}/unsubscribe#${token}`].join(
        '\n\n',
      ),
      unsubscribe: `${address}/api/unsubscribe/${token}`,
    }
  }

  const run = async (payload: Payload, { attempt, jobId }: Pick<JobContext, 'attempt' | 'jobId'>): Promise<void> => {
    const { accountId, since } = payload
    const preferences = await notifications.preferencesOf(accountId)
    const now = clock.now()
    const quietUntil = endOfQuiet(preferences, now)
    // In quiet hours that never end nothing leaves the app.
    if (quietUntil === null)
      return await deps.note(accountId, await deps.waiting(accountId), 'mail', notSent('quiet-hours'))
    // The reader chose another hour meanwhile, or it lies in quiet hours.
    const dueAt = Math.max(attempt === 1 ? digestAfter(preferences, since) : payload.dueAt, quietUntil)
    if (dueAt > now) {
      // By another name than its own, which stands until it has ended: the clock may have been put back.
      await schedule({ accountId, since, dueAt }, `digest ${accountId} ${dueAt} after ${payload.dueAt}`)
      return
    }
    const waiting = await deps.waiting(accountId)
    const unread = await notifications.unreadAmong(accountId, waiting)
    const told = unread.filter(({ kind }) => preferences.kinds[kind].mail !== 'off')
    const ids = told.map(({ id }) => id)
    const stopped = unread.filter(({ kind }) => preferences.kinds[kind].mail === 'off').map(({ id }) => id)
    await deps.note(accountId, stopped, 'mail', notSent('kind-off'))
    const unreadIds = new Set(unread.map(({ id }) => id))
    const over = waiting.filter((id) => !unreadIds.has(id))
    await deps.note(accountId, over, 'mail', notSent('read-before'))
    if (told.length === 0) return
    const [send, to, address] = await Promise.all([mail.direct(), mailAddressOf(deps.user, accountId), mail.address()])
    if (!send || to === null || !address) return await deps.note(accountId, ids, 'mail', notSent('no-destination'))
    const reference = `digest-${jobId}`
    const letter = { ...(await write(accountId, to, address, told)), reference }
    const noteSent = (outcome: Outcome) => deps.note(accountId, ids, 'mail', outcome)
    await sendAndNote({ log, send, letter, attempt, reason: 'digest', note: noteSent })
  }

  return {
    /** Has a notification told with the next digest. */
    async deliver({ accountId, notificationId, at }: Delivery, preferences: NotificationPreferences): Promise<null> {
      const note = (outcome: Outcome) => deps.note(accountId, [notificationId], 'mail', outcome)
      if ((await mailAddressOf(deps.user, accountId)) === null) {
        await note(notSent('no-destination'))
        return null
      }
      const dueAt = digestAfter(preferences, clock.now())
      // Before the job, which tells of what waits.
      await note({ state: 'waiting', reason: 'digest', at: dueAt })
      const { state } = await schedule({ accountId, dueAt, since: at }, `digest ${accountId} ${dueAt}`)
      if (state !== 'running') return null
      // It may have read before what waits: the one that follows tells of this.
      const next = digestAfter(preferences, dueAt)
      await note({ state: 'waiting', reason: 'digest', at: next })
      await schedule({ accountId, dueAt: next, since: dueAt }, `digest ${accountId} ${next}`)
      return null
    },
    jobs: {
      [digestJob]: defineJob({
        payload: Payload,
        ...letterJobLimits,
        run,
      }),
    },
  }
}
