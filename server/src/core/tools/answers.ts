/** What people answer to questions of a call, held against what was asked. Pure. */
import type { ToolApproval } from '@atrium/contract/generation'
import { fail } from '../../platform/http/refusal.ts'

const mostLetters = 20_000

/** Refuses with `validation_failed` what was not asked, or not in this form. */
export const requireAnswers = (
  { kind, questions = [] }: ToolApproval,
  answers: Readonly<Record<string, unknown>>,
): void => {
  if (JSON.stringify(answers).length > mostLetters) throw refusal('', 'is too long')
  if (kind !== 'question') return
  for (const id of Object.keys(answers))
    if (!questions.some((question) => question.id === id)) throw refusal(id, 'was not asked')
  for (const { id, kind: wanted, options = [], several } of questions) {
    const answer = answers[id]
    if (answer === undefined) throw refusal(id, 'is missing')
    const isChoice = (one: unknown) => typeof one === 'string' && options.includes(one)
    const fits =
      wanted === 'number'
        ? typeof answer === 'number' && Number.isFinite(answer)
        : wanted === 'choice'
          ? several
            ? Array.isArray(answer) && answer.length > 0 && answer.every(isChoice)
            : isChoice(answer)
          : typeof answer === 'string'
    if (!fits) throw refusal(id, 'does not fit the question')
  }
}

const refusal = (id: string, message: string) =>
  fail('validation_failed', undefined, [{ path: `body.answers.${id}`, message }])
