/**
 * The two stages between a request and the turn of a model: `AskInput` is all that a request to answer was read into,
 * `AnswerInput` what the answer is made from once the messages are stored.
 */
import type { GenerateBody, MakeWish, SentDocument } from '@atrium/contract/chat'
import type { Source, ToolChoice } from '@atrium/contract/generation'
import type { ToolkitRequest } from '../../../core/tools/index.ts'
import { type UsableModel, isAgent, isExcerpts, isOwnCall } from '../../../core/generation/index.ts'
import type { AttachmentRow, MessageRow, SessionRow } from '../tables.ts'
import type { AnswerConfig } from './answer-config.ts'
import { type MessageEstimate, estimateAnswer, estimateQuestion } from './history.ts'
import type { RetrievalTargets } from './retrieval.ts'
import type { AnswerTarget } from './target.ts'

/** A request to answer, or to have something made instead. */
export type AskBody = GenerateBody & { readonly make?: MakeWish }

export interface AskInput {
  readonly chat: SessionRow
  readonly body: AskBody
  readonly target: AnswerTarget
  readonly config: AnswerConfig
  readonly attachments: readonly AttachmentRow[]
  /** The documents that the message names. */
  readonly documents: SentDocument[]
  /** Where the question is looked up; null: nowhere. */
  readonly retrieval: RetrievalTargets | null
  /** What the model may call. */
  readonly tools: ToolChoice
  /** What the account may use, where it was read to choose. */
  readonly usable?: ToolkitRequest['usable']
  /** Whether nobody is at a page who could be asked. */
  readonly unattended: boolean
  /** Where untrusted text begins in a new question; null: nowhere. */
  readonly foreignFrom: number | null
  /** What the answer may cost; null: as much as it does. */
  readonly mostCost: string | null
  /** Whether a token asks that may not have tools used. */
  readonly withoutTools: boolean
  /** Whether it goes on with an answer that waited for a decision. */
  readonly resumes: boolean
  readonly runId: string
  /** The new question's; null where none is made. */
  readonly questionId: string | null
  readonly assistantId: string
  /** Of the request, to tell a repeat from another request with the same ids. */
  readonly digest: string
  /** The queued prompt that is sent by this request. */
  readonly queueEntryId: string | undefined
  readonly hasDraft: boolean
  readonly now: number
}

/** Where the messages were inserted. */
export interface InsertedTurn {
  /** As it was when they were, but with the summary that is in force for the answer. */
  readonly chat: SessionRow
  /** What the new question follows, for new questions. */
  readonly parent: MessageRow | null
}

export interface AnswerQuestion extends MessageEstimate {
  readonly id: string
  readonly parentId: string | null
  readonly depth: number
  /** Where it is looked up; null: nowhere. */
  readonly retrieval: RetrievalTargets | null
  /** What of it the person wrote. */
  readonly said: string
}

export interface AnswerInput {
  /** With the summary that is in force on the path of the question. */
  readonly chat: SessionRow
  readonly config: AnswerConfig
  readonly question: AnswerQuestion | null
  /** The answer that is continued. */
  readonly partial: MessageEstimate | null
  /** The sources of the answer that is continued. */
  readonly sources: readonly Source[]
  /** Those of them that were found for its question. */
  readonly found: readonly Source[]
  readonly instruction: string | undefined
  /** What the answer may cost; null: as much as it does. */
  readonly mostCost: string | null
  /** What the model may call, and for which run; null: nothing. */
  readonly tools: AnswerTools | null
}

export interface AnswerTools
  extends Pick<ToolkitRequest, 'subjectId' | 'runId' | 'ids' | 'usable' | 'askFirst' | 'unattended'> {
  /** The model is made to call something first. */
  readonly mustCall: boolean
}

export const toAnswerInput = (ask: AskInput, { chat, parent }: InsertedTurn): AnswerInput => {
  const { target, config, body } = ask
  const { vision } = config.model
  const toQuestion = (
    row: Pick<AnswerQuestion, 'id' | 'parentId' | 'depth'>,
    words: { readonly text: string; readonly foreignFrom: number | null },
    attachments: readonly AttachmentRow[],
  ): AnswerQuestion => ({
    ...estimateQuestion(words, attachments, vision),
    ...row,
    said: words.text.slice(0, words.foreignFrom ?? undefined),
    // Without words there is nothing to look up.
    retrieval: words.text.trim() === '' ? null : ask.retrieval,
  })
  const stored = target.kind === 'question' ? null : target.question
  const question =
    target.kind === 'question'
      ? toQuestion(
          { id: ask.questionId ?? '', parentId: parent?.id ?? null, depth: parent ? parent.depth + 1 : 0 },
          { text: body.message ?? '', foreignFrom: ask.foreignFrom },
          ask.attachments,
        )
      : stored &&
        toQuestion(
          { id: stored.row.id, parentId: stored.row.parent_id, depth: stored.row.depth },
          stored,
          stored.attachments,
        )
  return {
    chat,
    config,
    question,
    partial: target.kind === 'continue' ? toPartial(target, vision) : null,
    sources: target.kind === 'continue' ? target.sources : [],
    found: target.kind === 'continue' ? target.found : [],
    instruction: body.instruction,
    mostCost: ask.mostCost,
    tools: toolsOf(ask),
  }
}

/** For a turn that is planned at once. Later, what may be used is read again. */
export const withUsable = (input: AnswerInput, { usable }: Pick<AskInput, 'usable'>): AnswerInput =>
  input.tools ? { ...input, tools: { ...input.tools, usable } } : input

/** What was thought before its calls goes back with them; words alone are gone on with as they are. */
const toPartial = (
  { before, answer }: AnswerTarget & { kind: 'continue' },
  vision: boolean | null,
): MessageEstimate => ({
  ...estimateAnswer(before, [], vision),
  ...(before.toolCalls.some(isOwnCall) && { answer }),
})

/** Agents run tools of their own, and nothing of a temporary chat leaves it. */
export const mayCall = (
  chat: Pick<SessionRow, 'expires_at'>,
  { tools, selection }: Pick<UsableModel, 'selection' | 'tools'>,
  { choice }: Pick<ToolChoice, 'choice'>,
): boolean =>
  choice !== 'off' && chat.expires_at === null && tools !== false && !isAgent(selection) && !isExcerpts(selection)

const toolsOf = (ask: AskInput): AnswerTools | null => {
  const { chat, assistantId, runId, unattended } = ask
  const { model } = ask.config
  const { choice, ids, askFirst = [] } = ask.tools
  if (!mayCall(chat, model, ask.tools)) return null
  return { subjectId: assistantId, runId, ids: ids ?? null, askFirst, unattended, mustCall: choice === 'force' }
}
