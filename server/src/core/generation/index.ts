/**
 * The turn loop: a conversation is fitted into the window of a model, the model is asked, and its answer is written
 * as a durable run that outlives the page, can be followed from any point, and ends exactly once.
 * It knows no chats: features say where the words come from and where they go. It never chooses another model.
 */
export { markCited } from './citations.ts'
export { type AskBriefly, askBriefly, completeText } from './complete.ts'
export { excerptsModel, isAgent, isExcerpts, prepareExcerpts } from './excerpts.ts'
export { countTurn, fitRounds, fitTurn, leftOut, withWindow } from './fit-turn.ts'
export type { RunEventEntry } from './follow.ts'
export type { ChatFile, ChatFiles } from './chat-files.ts'
export type { DrawnItem, Gallery, MadeInChat, MadeJob } from './gallery.ts'
export { type GenerationDeps, type Generations, createGenerations } from './generations.ts'
export { endCalls } from './end-calls.ts'
export { type RoundsRequest, answerInRounds } from './rounds.ts'
export {
  type ContextResult,
  type TokenEstimate,
  answerReserve,
  chooseWindow,
  defaultWindowTokens,
  estimateTokens,
  failureOf,
  imageTokens,
  messageTokens,
  overflowMessage,
  planContext,
  sameWindow,
  countMessageTokens,
} from './rules.ts'
export { type AnswerWithCalls, isOwnCall, pendingCalls, toTurnMessages } from './tool-messages.ts'
export { type GenerationTables, generationMigrations } from './tables.ts'
export type {
  Answer,
  AnswerTokens,
  CostOf,
  DrawnPicture,
  KeptPicture,
  ReplayData,
  RunOutcome,
  PreparedAnswer,
  ResolveModel,
  Run,
  RunEvent,
  RunKind,
  SearchProgress,
  UsableModel,
  TransactionWrite,
} from './types.ts'
export type { AskerOf, UnattendedAnswer, UnattendedChats, UnattendedQuestion } from './unattended.ts'
export type { WebResults, WebQuestion, WebSearch } from './web-search.ts'
