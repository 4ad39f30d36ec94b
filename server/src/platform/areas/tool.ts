/** What areas let models do for the account that asks: a tool is a value, listed in the `tools` of its area. */
import type { Source } from '@atrium/contract/generation'
import type { z } from 'zod'

/** For whom and why a tool is called. */
export interface ToolContext {
  readonly accountId: string
  /** The chat of the answer; null where the answer belongs to none. */
  readonly chatId: string | null
  /** Names the call among all calls of the account: a tool that is called again with it does nothing twice. */
  readonly callId: string
  /** What the person wrote, word for word. */
  readonly question: string
  /** Aborted by Stop, by the tool's time and by the end of the process. */
  readonly signal: AbortSignal
  /** Tells the person how far it is. `total` is null where nobody knows; `message` is at most 200 characters. */
  report(progress: { readonly done: number; readonly total: number | null; readonly message?: string }): void
}

/** A picture, sound or file of a result, shown to the person, and pictures to models that can look at them. */
export interface ToolMedia {
  readonly mediaType: string
  readonly bytes: Uint8Array
  readonly name?: string
}

/** A thing of the account that a result is about, to be opened from it. */
export interface ToolLink {
  /** A kind of the resources of an area, as `GLOSSARY.md` names it. */
  readonly kind: string
  readonly id: string
  readonly title: string
}

/** A resource that a result points to, or holds. Its address is opened by nobody. */
export interface ToolResource {
  readonly uri: string
  readonly name: string
  readonly description: string
  readonly mediaType: string | null
  /** What it holds; null: it is only named. */
  readonly text: string | null
}

/** What a tool gives back. */
export interface ToolOutput {
  /** For the model. What is long is cut for it, and kept whole. */
  readonly text: string
  /** It did not work, and `text` says why, so that the model can do something about it. */
  readonly isError?: boolean
  /**
   * Passages that the answer may cite, without numbers. Whoever runs the tool numbers them and puts them behind `text`,
   * each with its name, its address and its words: `text` does not repeat them.
   */
  readonly sources?: readonly Source[]
  readonly media?: readonly ToolMedia[]
  readonly links?: readonly ToolLink[]
  readonly resources?: readonly ToolResource[]
  /** The result as a value, besides `text`, which does not repeat it. */
  readonly structured?: unknown
  /** It holds what is private and what others may have written, although the labels of the tool do not say so. */
  readonly quotes?: boolean
}

/** A call of an earlier answer of the chat, as its model is told of it. */
export interface EarlierCall {
  readonly name: string
  /** JSON, as the model wrote it. */
  readonly arguments: string
  /** What the model is told of its result. */
  readonly text: string
}

/** What a call may do, for the rules of who decides. */
export interface ToolEffects {
  /** It changes something, or costs something. */
  readonly sideEffect: boolean
  /** Its result holds what only this account may read. */
  readonly readsPrivateData: boolean
  /** Its result holds text that others wrote. */
  readonly readsForeignText: boolean
  /** What it is called with leaves the server. */
  readonly sendsData: boolean
}

export interface Tool extends ToolEffects {
  /** Unique among all areas; `[a-z_]{1,64}`. Models call it by this name. */
  readonly name: string
  /** For models, in English: what it does, and when to use it. */
  readonly description: string
  /** A strict object; whoever runs the tool checks arguments with it. */
  readonly arguments: z.ZodType<Record<string, unknown>>
  /** How long a call may take, in milliseconds (default 30 000). */
  readonly timeoutMs?: number
  /** Addresses that a call would open; one that nobody here wrote and no search found is asked about. */
  addressesOf?(args: Record<string, unknown>): readonly string[]
  /** Whether the addresses of its passages were found by a search engine, so that they may be opened unasked. */
  readonly findsAddresses?: boolean
  /** Whether its arguments are shown while a model writes them. */
  readonly showsDraft?: boolean
  /** Whether there is anything to call for this account now, which has this role; absent: always. */
  isAvailable?(accountId: string, role: 'admin' | 'user'): Promise<boolean>
  /**
   * What changed since of things that earlier calls were about, or that came of the chat without a call, in lines for the
   * model; null: nothing. It is asked with each question.
   */
  describeChanges?(
    calls: readonly EarlierCall[],
    asked: { readonly accountId: string; readonly chatId: string | null },
  ): Promise<string | null>
  /** Runs it with the rights of the account. A Refusal is told to the model in its own words. */
  run(args: Record<string, unknown>, context: ToolContext): Promise<ToolOutput>
}

/** Defines a tool with typed arguments. */
export const defineTool = <Args extends Record<string, unknown>>(
  tool: Omit<Tool, 'arguments' | 'run' | 'addressesOf'> & {
    readonly arguments: z.ZodType<Args>
    addressesOf?(args: Args): readonly string[]
    run(args: Args, context: ToolContext): Promise<ToolOutput>
  },
): Tool => tool as unknown as Tool
