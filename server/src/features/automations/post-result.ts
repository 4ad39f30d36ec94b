/** Results that go on from the chat in which they were written. */
import type { RunReason } from '@atrium/contract/automations'
import { isRefusal } from '../../platform/http/refusal.ts'
import type { AutomationContext } from './context.ts'
import type { RunRow } from './tables.ts'

/** So long a message of a channel is at most. */
const mostLetters = 20_000
const cut = '\n\n…'

/**
 * Posts the answer of a run where its automation says, before the run counts as ended: a process that dies in between is made
 * up for, and what was posted is not posted twice. Gives why it cannot be; null: it is there, or goes nowhere else.
 */
export const postResult = async (context: AutomationContext, run: RunRow): Promise<RunReason | null> => {
  const automation = await context.automations.read(run.automation_id, null)
  if (automation?.content.target.kind !== 'channel' || run.generation_id === null) return null
  const { name, target } = automation.content
  const text = await context.chats.answerOf(run.account_id, run.generation_id)
  if (text === null) return 'chat_gone'
  const content = `**${plain(name)}**\n\n${text}`
  const shown = content.length <= mostLetters ? content : content.slice(0, mostLetters - cut.length) + cut
  try {
    await context.channels.post(run.account_id, target.channelId, { id: run.id, content: shown })
    return null
  } catch (error) {
    if (isRefusal(error)) return 'channel_gone'
    throw error
  }
}

/** Without what Markdown would read. */
const plain = (name: string): string => name.replace(/[\\`*_[\]<>~|]/g, '\\$&')
