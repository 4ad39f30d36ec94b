/** The result of a run as text. */
import type { AutomationContext, StoredAutomation } from '../context.ts'
import type { RunRow } from '../tables.ts'
import { fillText } from './text.ts'

type ResultContext = Pick<AutomationContext, 'chats' | 'vault'>

/** `show` escapes untrusted text among the owner’s own. null: the answer was deleted. */
export const resultText = async (
  { chats, vault }: ResultContext,
  run: RunRow,
  { content }: StoredAutomation,
  show: (value: string) => string,
): Promise<string | null> => {
  if (content.asksModel) return run.message_id === null ? null : await chats.answerOf(run.account_id, run.message_id)
  const keyring = await vault.keyring(run.account_id)
  const payload = run.payload && keyring.open('automation_runs.payload', run.id, run.payload)
  return fillText(content.instructions, payload, show)
}
