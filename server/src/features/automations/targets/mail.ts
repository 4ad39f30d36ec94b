/** Results by mail to their owner: a job writes the mail when it sends it, so that its text is not stored. */
import { defaultLanguage } from '@atrium/contract/languages'
import { z } from 'zod'
import { MailFailure } from '../../../core/mail/index.ts'
import { JobFailure, defineJob } from '../../../platform/jobs/types.ts'
import type { AutomationContext } from '../context.ts'
import type { RunRow } from '../tables.ts'
import { resultText } from './result.ts'

export const mailJob = 'automations.mail'
/** The waits grow to five minutes, so a mail server may be away for an hour. */
const attempts = 20
const mostLetters = 5000
const mostSubject = 150

/** Whether mail can reach an account now: there is a mail server, and its address is confirmed. */
export const reachesByMail = async (
  { mail, user }: Pick<AutomationContext, 'mail' | 'user'>,
  accountId: string,
): Promise<boolean> => {
  const [isThere, account] = await Promise.all([mail.available(), user(accountId)])
  return isThere && account?.status === 'active' && account.email !== null && account.emailVerified
}

/** Has the result of a run mailed, once for each run. false: mail can't reach its owner. */
export const mailResult = async (context: AutomationContext, { id, account_id }: RunRow): Promise<boolean> => {
  if (!(await reachesByMail(context, account_id))) return false
  await context.jobs.enqueue(mailJob, { runId: id }, { accountId: account_id, key: id })
  return true
}

const letterOf = async (context: AutomationContext, run: RunRow) => {
  const automation = await context.automations.read(run.automation_id, null)
  const owner = await context.user(run.account_id)
  if (!automation || !owner?.email || !owner.emailVerified || owner.status !== 'active') return null
  const text = await resultText(context, run, automation, (value) => value)
  if (text === null || text.trim() === '') return null
  const address = await context.address()
  const link = run.session_id === null ? `/automations/${automation.id}` : `/chat/${run.session_id}`
  return {
    accountId: run.account_id,
    to: owner.email,
    language: (await context.languageOf(run.account_id)) ?? defaultLanguage,
    subject: automation.content.name.slice(0, mostSubject).toWellFormed(),
    text: [plain(text), ...(address === null ? [] : [`${address}${link}`])].join('\n\n'),
    workspace: await context.mail.workspaceName(),
    reference: run.id,
  }
}

/** Keeps untrusted text from becoming a link, as a paragraph that is only an address would. */
const plain = (text: string): string =>
  text
    .slice(0, mostLetters)
    .toWellFormed()
    .replace(/^(?=https?:\/\/\S+$)/gm, '– ')

export const mailJobs = (context: AutomationContext) => ({
  [mailJob]: defineJob({
    payload: z.strictObject({ runId: z.string() }),
    attempts,
    timeoutMs: 60_000,
    outward: true,
    async run({ runId }, { attempt }) {
      const run = await context.runs.read(runId, null)
      const send = run && (await context.mail.direct())
      const letter = send && (await letterOf(context, run))
      if (!letter) return
      try {
        await send(letter)
      } catch (error) {
        if (!(error instanceof MailFailure)) throw error
        context.log.warn('The result of an automation could not be mailed.', { step: error.step, attempt })
        if (error.isFinal || attempt >= attempts) throw new JobFailure('mail_failed', error.message)
        throw error
      }
    },
  }),
})
