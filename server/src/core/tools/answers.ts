/** What people answer to questions of a call, held against what was asked. Pure. */
import type { ToolApproval, ToolQuestion } from '@atrium/contract/generation'
import { z } from 'zod'
import { fail } from '../../platform/http/refusal.ts'
import type { GivenFile } from './types.ts'

const mostLetters = 20_000

const FileAnswer = z.union([
  z.strictObject({ attachmentId: z.string().min(1).max(100) }),
  z.strictObject({ documentId: z.string().min(1).max(100) }),
])

/** Refuses with `validation_failed` what was not asked, or not in this form. */
export const requireAnswers = (
  { kind, questions = [] }: ToolApproval,
  answers: Readonly<Record<string, unknown>>,
): void => {
  if (JSON.stringify(answers).length > mostLetters) throw refusal('', 'is too long')
  if (kind !== 'question') return
  for (const id of Object.keys(answers))
    if (!questions.some((question) => question.id === id)) throw refusal(id, 'was not asked')
  for (const question of questions) {
    const answer = answers[question.id]
    if (answer === undefined) throw refusal(question.id, 'is missing')
    if (!fits(question, answer)) throw refusal(question.id, 'does not fit the question')
  }
}

const fits = ({ kind, options = [], several }: ToolQuestion, answer: unknown): boolean => {
  const isChoice = (one: unknown) => typeof one === 'string' && options.includes(one)
  switch (kind) {
    case 'number':
      return typeof answer === 'number' && Number.isFinite(answer)
    case 'choice':
      return several ? Array.isArray(answer) && answer.length > 0 && answer.every(isChoice) : isChoice(answer)
    case 'file':
      return fileOf(answer) !== null
    case 'text':
      return typeof answer === 'string'
  }
}

/** The file that an answer names; null: it names none. */
export const fileOf = (answer: unknown): GivenFile | null => {
  const { data } = FileAnswer.safeParse(answer)
  if (!data) return null
  return 'attachmentId' in data
    ? { kind: 'attachment', id: data.attachmentId }
    : { kind: 'document', id: data.documentId }
}

/** The files among answers, in the order of the questions. */
export const filesOf = (
  { questions = [] }: ToolApproval,
  answers: Readonly<Record<string, unknown>>,
): readonly GivenFile[] => questions.flatMap(({ id, kind }) => (kind === 'file' ? (fileOf(answers[id]) ?? []) : []))

const refusal = (id: string, message: string) =>
  fail('validation_failed', undefined, [{ path: `body.answers.${id}`, message }])
