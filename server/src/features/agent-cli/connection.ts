/** What the chats of agents need of a connection to one, whatever protocol it speaks. */
import type { ToolDecision } from '@atrium/contract/generation'
import { type Part, ProviderFailure } from '../../providers/types.ts'
import type { AgentWords } from './words.ts'

/** A question for permission; the call that it is about was told before. */
export interface Question {
  readonly callId: string
  readonly decisions: readonly ToolDecision[]
}

export interface TurnListener {
  /** Takes what is read, in the order of the calls; what reading throws ends the answer. */
  tell(read: () => readonly Part[]): void
  /** null: nobody may or will decide. */
  ask(question: Question): Promise<ToolDecision | null>
}

/** Tokens of a session, as far as an agent counts them over all of its turns. */
export interface SessionTokens {
  readonly input: number
  readonly output: number
  readonly cached: number
}

export interface TurnEnd {
  /** The session to go on in; null: the agent named none. */
  readonly session: string | null
  readonly tokens?: SessionTokens | undefined
}

export interface SessionRequest {
  /** Where the agent works. */
  readonly folder: string
  readonly model: string
  /** The session to go on in; null: a new one. */
  readonly resume: string | null
  /** This process has that session already. */
  readonly isOpen: boolean
}

export interface AgentConnection {
  readonly takesImages: boolean
  /** One process can begin another session; else that wants another process. */
  readonly opensSessions: boolean
  /** Another turn can be asked of the same process. */
  readonly staysOpen: boolean
  /** The session for a turn, and whether it knows the chat. */
  enter(request: SessionRequest): Promise<{ readonly session: string; readonly isKnown: boolean }>
  /** Resolves at the end of the turn. Throws ProviderFailure. */
  prompt(session: string, words: AgentWords, listener: TurnListener): Promise<TurnEnd>
  /** Asks it to stop; the process is ended besides. */
  cancel(session: string): Promise<void>
}

/** The agent does not know the session any more that it was to go on in: the chat has to be told from its beginning. */
export class SessionLost extends ProviderFailure {
  constructor(name: string) {
    super('rejected', `${name} has forgotten what was said before.`)
  }
}

/** What is said where somebody has to sign in on the server first. */
export const signInNeeded = ({ name, signIn }: { readonly name: string; readonly signIn?: string | undefined }) =>
  new ProviderFailure(
    'no_key',
    `${name} is not signed in. Sign in${signIn ? ` with "${signIn}"` : ''} as the user that runs this server.`,
  )
