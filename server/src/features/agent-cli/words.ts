/** What an agent is sent: the new words where it knows the chat, else the chat as a transcript before them. Pure. */
import { z } from 'zod'
import type { Turn, TurnImage } from '../../providers/types.ts'

export interface AgentWords {
  readonly text: string
  readonly images: readonly TurnImage[]
}

/** The session that gave the last answer above the question, and which of its answers that was. */
const KnownSession = z.object({
  session: z.string().min(1).max(500),
  answer: z.string(),
  /** What it has used, where the agent counts over the session. */
  tokens: z.object({ input: z.number(), output: z.number(), cached: z.number() }).optional(),
})
export type KnownSession = z.infer<typeof KnownSession>

/** Under this the session stands beside an answer. */
export const replayWire = 'agent'

const maxMessages = 30
const maxChars = 200_000

/** null: it is no session that can be gone on in. */
export const readSession = (value: unknown): KnownSession | null => KnownSession.safeParse(value).data ?? null

export const sessionOf = ({ messages }: Turn): KnownSession | null => {
  const last = messages.findLast((message) => message.role === 'assistant')
  const replay = last?.role === 'assistant' && last.replay?.wire === replayWire ? last.replay.items[0] : undefined
  return readSession(replay)
}

/** The question alone. */
export const newWords = ({ messages }: Turn): AgentWords => {
  const last = messages.at(-1)
  return last?.role === 'user' ? { text: last.text, images: last.images } : { text: '', images: [] }
}

/** What a tool gave is never told as if the user had said it. */
const speakerOf = (message: Turn['messages'][number]): string => {
  if (message.role === 'tool') return `Result of the tool ${message.name}, no words of the user`
  return message.role === 'assistant' ? 'Assistant' : 'User'
}

/** Instructions, the last thirty messages as far as they fit, and the question. */
export const allWords = (turn: Turn): AgentWords => {
  const { text, images } = newWords(turn)
  const lines: string[] = []
  let chars = 0
  for (const message of turn.messages.slice(0, -1).slice(-maxMessages).toReversed()) {
    // Calls without words: their results tell what they were.
    if (message.role === 'assistant' && message.text === '') continue
    const line = `${speakerOf(message)}: ${message.text}`
    chars += line.length
    if (chars > maxChars) break
    lines.unshift(line)
  }
  const before = lines.length > 0 ? [`The conversation so far:\n\n${lines.join('\n\n')}\n\nNow the user says:`] : []
  return { text: [turn.system, ...before, text].filter(Boolean).join('\n\n'), images }
}
