/** Sends results of runs to their targets: a channel, a mail to the owner, or a webhook. */
import type { RunReason } from '@atrium/contract/automations'
import { isRefusal } from '../../platform/http/refusal.ts'
import type { AutomationContext, StoredAutomation } from './context.ts'
import { sourceOfRun } from './events/sources.ts'
import type { RunRow } from './tables.ts'
import { mailResult } from './targets/mail.ts'
import { resultText } from './targets/result.ts'

/** So long a message of a channel is at most. */
const mostLetters = 20_000
const cut = '\n\n…'

/**
 * Sends the result of a run to its target, before the run ends: if the process dies in between, another one repeats this,
 * and each target takes a run only once. Gives why it couldn't be sent; null: it was, or the chat is the target.
 */
export const postResult = async (context: AutomationContext, run: RunRow): Promise<RunReason | null> => {
  const automation = await context.automations.read(run.automation_id, null)
  const target = automation?.content.target
  if (!target || target.kind === 'chat') return null
  if (target.kind === 'mail') return (await mailResult(context, run)) ? null : 'mail_unavailable'
  const isChannel = target.kind === 'channel'
  const text = await resultText(context, run, automation, isChannel ? inert : (value) => value)
  if (text === null) return 'chat_gone'
  return isChannel
    ? await postInChannel(context, run, { automation, channelId: target.channelId, text })
    : await postToWebhook(context, run, { automation, webhookId: target.webhookId, text })
}

interface Result {
  readonly automation: StoredAutomation
  readonly text: string
}

const postInChannel = async (
  context: AutomationContext,
  run: RunRow,
  { automation, channelId, text }: Result & { readonly channelId: string },
): Promise<RunReason | null> => {
  const { name, asksModel } = automation.content
  // The owner's own text needs no heading that names the automation.
  const content = asksModel ? `**${inert(name)}**\n\n${text}` : text
  const shown =
    content.length <= mostLetters ? content : content.slice(0, mostLetters - cut.length).toWellFormed() + cut
  try {
    await context.channels.post(run.account_id, channelId, { id: run.id, content: shown.trim() === '' ? '…' : shown })
    return null
  } catch (error) {
    if (isRefusal(error)) return 'channel_gone'
    throw error
  }
}

const postToWebhook = async (
  context: AutomationContext,
  run: RunRow,
  { automation, webhookId, text }: Result & { readonly webhookId: string },
): Promise<RunReason | null> => {
  const address = await context.address()
  const path = run.session_id === null ? `/automations/${automation.id}` : `/chat/${run.session_id}`
  const told = await context.webhooks.sendToOwn(run.account_id, webhookId, {
    source: sourceOfRun(run.id),
    type: 'automation.result',
    at: context.clock.now(),
    data: {
      automationId: automation.id,
      runId: run.id,
      name: automation.content.name,
      text,
      link: address === null ? null : `${address}${path}`,
    },
  })
  return told ? null : 'webhook_gone'
}

/** Escapes Markdown and mentions in untrusted text. */
const inert = (words: string): string => words.replace(/[\\`*_[\]<>~|#]/g, '\\$&')
