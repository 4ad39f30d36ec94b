/** Conversations of one account with models. */
import { generations } from './chat/generations.ts'
import { messages } from './chat/messages.ts'
import { organising } from './chat/organising.ts'
import { sessions } from './chat/sessions.ts'

export * from './chat/shapes.ts'
export { type GenerateBody } from './chat/generations.ts'
export { type CompactionConfig } from './chat/sessions.ts'

export const chat = { ...sessions, ...messages, ...generations, ...organising }
