/** What servers ask the person for during a call. */
import type { ElicitRequest, ElicitResult, UrlElicitationRequiredError } from '@modelcontextprotocol/client'
import { cleanJson, cleanText } from '../definitions.ts'
import type { Question } from './connections.ts'

/** Pages that one call may ask for. */
const mostPages = 4

/** Asks the person, whose time it is then. */
export const askPerson = async (
  { params }: ElicitRequest,
  question: Question | undefined,
  repeatable: boolean,
): Promise<ElicitResult> => {
  const ask = question?.ask
  if (!question || !ask) return { action: 'decline' }
  const message = cleanText(params.message, 2000)
  const answer = await question.deadline.pausing(() =>
    params.mode === 'url'
      ? ask({ kind: 'url', message, url: params.url, repeatable })
      : ask({
          kind: 'form',
          message,
          schema: cleanJson(params.requestedSchema) as Record<string, unknown>,
          repeatable,
        }),
  )
  if (answer === null) return { action: 'decline' }
  return params.mode === 'url' ? { action: 'accept' } : { action: 'accept', content: answer as Record<string, string> }
}

/**
 * Has the person open the pages without which a server does not take a call (2025-11-25, error -32042). false: they do not
 * want to, or it asks for too many.
 */
export const openPages = async (
  { elicitations }: UrlElicitationRequiredError,
  question: Question,
): Promise<boolean> => {
  if (elicitations.length === 0 || elicitations.length > mostPages) return false
  for (const params of elicitations) {
    // A server that says so has done nothing yet.
    const { action } = await askPerson(
      { method: 'elicitation/create', params: { ...params, mode: 'url' } },
      question,
      true,
    )
    if (action !== 'accept') return false
  }
  return true
}
