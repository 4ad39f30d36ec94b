/** Sends a letter about notifications and notes how that ended, for letters and digests alike. */
import type { Log } from '../../platform/log/log.ts'
import { JobFailure } from '../../platform/jobs/types.ts'
import { type Mail, MailFailure } from '../mail/index.ts'
import type { Outcome } from './index.ts'

/** Of the jobs that send. The waits grow to five minutes, so a mail server may be away for an hour. */
export const letterJobLimits = { attempts: 20, timeoutMs: 60_000, outward: true } as const

type Send = NonNullable<Awaited<ReturnType<Mail['direct']>>>

export interface Sending {
  readonly log: Pick<Log, 'warn'>
  readonly send: Send
  readonly letter: Parameters<Send>[0]
  /** Which try of the job this is, from 1. */
  readonly attempt: number
  /** `digest`: the letter is one. */
  readonly reason: 'digest' | null
  readonly note: (outcome: Outcome) => Promise<void>
}

/** Throws MailFailure where the job is to try again, and JobFailure where the mail server refused it for good. */
export const sendAndNote = async ({ log, send, letter, attempt, reason, note }: Sending): Promise<void> => {
  try {
    await send(letter)
    await note({ state: 'sent', reason })
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    // A word behind “digest” would be masked as a credential.
    const what =
      reason === 'digest' ? 'notifications could not be mailed as a digest' : 'a notification could not be mailed'
    log.warn(what, { step: error.step, detail: error.message, attempt })
    if (!error.isFinal && attempt < letterJobLimits.attempts) throw error
    await note({ state: 'not-sent', reason: 'refused' })
    throw new JobFailure('mail_failed', error.message)
  }
}
