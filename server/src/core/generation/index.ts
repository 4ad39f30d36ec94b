/**
 * The turn loop: a conversation is fitted into the window of a model, the model is asked, and its answer is written
 * as a durable run that outlives the page, can be followed from any point, and ends exactly once.
 * It knows no chats: features say where the words come from and where they go. It never chooses another model.
 */
export { markCited } from './citations.ts'
export { type AskBriefly, askBriefly, complete } from './complete.ts'
export { excerptsModel, isExcerpts, prepareExcerpts } from './excerpts.ts'
export { countTurn, fitTurn, withWindow } from './fit-turn.ts'
export type { Followed } from './follow.ts'
export { type GenerationDeps, type Generations, createGenerations } from './generations.ts'
export {
  type ContextResult,
  type Weighed,
  answerReserve,
  chooseWindow,
  defaultWindowTokens,
  estimateTokens,
  failureOf,
  imageTokens,
  messageTokens,
  overflowWords,
  planContext,
  sameWindow,
} from './rules.ts'
export { type GenerationTables, generationMigrations } from './tables.ts'
export type {
  Answer,
  AnswerTokens,
  Kept,
  Outcome,
  Prepared,
  ResolveModel,
  Run,
  RunEvent,
  RunKind,
  SearchNews,
  UsableModel,
  Write,
} from './types.ts'
export type { WebFound, WebQuestion, WebSearch } from './web-search.ts'
