/** Every wire format, one line each. */
import type { Wire } from '../types.ts'
import { anthropic } from './anthropic.ts'
import { bedrock } from './bedrock.ts'
import { chatCompletions } from './chat-completions.ts'
import { gemini } from './gemini.ts'
import { ollama } from './ollama.ts'
import { responses } from './responses.ts'

export const wires = {
  ollama,
  'chat-completions': chatCompletions,
  gemini,
  bedrock,
  responses,
  anthropic,
} as const satisfies Record<string, Wire>

export type WireId = keyof typeof wires
