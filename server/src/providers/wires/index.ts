/** Every wire format, one line each. */
import type { Wire } from '../types.ts'
import { chatCompletions } from './chat-completions.ts'
import { ollama } from './ollama.ts'

export const wires = {
  ollama,
  'chat-completions': chatCompletions,
} as const satisfies Record<string, Wire>

export type WireId = keyof typeof wires
