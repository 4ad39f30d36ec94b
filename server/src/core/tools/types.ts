/** Tools as an answer uses them, and where they come from. */
import type {
  Source,
  ToolApproval,
  ToolCall,
  ToolDecision,
  ToolOrigin,
  ToolQuestion,
} from '@atrium/contract/generation'
import type { ToolCallEntry, ToolMode } from '@atrium/contract/tools'
import type { CatalogItem } from './catalogue.ts'
import type { AnyTransaction } from '../../platform/db/types.ts'
import type { EarlierCall, Tool, ToolContext, ToolEffects, ToolOutput } from '../../platform/areas/tool.ts'
import type { Part, ToolSpec, TurnImage } from '../../providers/types.ts'

export type {
  EarlierCall,
  Tool,
  ToolContext,
  ToolEffects,
  ToolLink,
  ToolMedia,
  ToolOutput,
  ToolResource,
} from '../../platform/areas/tool.ts'

/** For whom tools are opened, and what was chosen. */
export interface ToolkitRequest {
  readonly accountId: string
  readonly chatId: string | null
  /** What the answer is: for chat, its message. A run that goes on with it has the same. */
  readonly subjectId: string
  readonly runId: string
  /** What the person wrote, word for word. */
  readonly question: string
  /** Ids as `GET /api/tools/catalog` gives them; null: all that may be used. Refuses with `tool_unavailable` what may not be. */
  readonly ids: readonly string[] | null
  /** Absent: it is read. Whether a tool may still be used is asked again when it is called. */
  readonly usable?: UsableTools | undefined
  /** The same kind of ids: of these, every call asks unless an approval stands. */
  readonly askFirst?: readonly string[]
  /** Tokens; null when nobody says. Where definitions take more than a tenth of it, they are looked for. */
  readonly contextWindow: number | null
  /** Whether the model looks at images. */
  readonly vision: boolean | null
  /** Whether nobody is there to be asked: what would ask is denied, in words. */
  readonly unattended?: boolean
  /** What the model reads beside results of tools, as it is known by then; absent: nothing that is private or that others wrote. */
  holds?(): { readonly privateData: boolean; readonly foreignText: boolean }
  /** Addresses that a search engine found for the question; they may be opened unasked. */
  readonly foundAddresses?: readonly string[]
  /** Whether the chat is not kept: what is allowed for it holds once. */
  readonly temporary?: boolean
  /** The number of the next passage that the answer may cite. */
  readonly nextSource: () => number
}

/** What an account may use, as it was read just now: good for the request that had it read. */
export interface UsableTools {
  readonly accountId: string
  readonly tools: readonly CatalogItem[]
}

/** The tools of one answer. */
export interface Toolkit {
  /** What the model is told of, in a fixed order. `find_tools` may add to the end of it between two rounds. */
  specs(): readonly ToolSpec[]
  /** Whether what a tool of this name is called with is shown while a model writes it. Absent: nothing is. */
  showsDraft?(name: string): boolean
  /**
   * Runs a call of the model, or what is left of one that an earlier run began. `tell` takes what the stream hears:
   * `tool-call` (again, with status and progress), `approval`, `tool-result`. Never rejects but when `signal` aborts.
   */
  run(
    call: ToolCall,
    context: { readonly signal: AbortSignal; readonly tell: (part: Part) => void },
  ): Promise<ToolkitResult>
  /** Writes down that a call is not made, and why: more than may be made at a time, or after the last round. Absent: nobody does. */
  noteRefusal?(call: Pick<ToolCall, 'name'>, reason: 'calls' | 'rounds'): Promise<void>
  /** What changed since of things that earlier calls of the chat were about, in lines for the model. Absent: nothing can. */
  describeChanges?(calls: readonly EarlierCall[]): Promise<readonly string[]>
}

export type ToolkitResult =
  /** What the model is told, and the passages that came with it. */
  | {
      readonly kind: 'result'
      readonly text: string
      readonly images: readonly TurnImage[]
      readonly sources: readonly Source[]
      readonly isError: boolean
      /** Its middle is left out. */
      readonly isCut?: boolean
      /** The same for the same outcome, which `text` is not where it is quoted. Absent: it is. */
      readonly digest?: string
    }
  /** Nobody has decided in time: the answer ends as waiting, and goes on when somebody does. */
  | { readonly kind: 'waiting' }

/** A tool as the catalogue has it. */
export interface CatalogTool extends ToolEffects {
  /** `builtin:web_search`, or `server:<id>/<name at the server>`; at most 128 characters. */
  readonly id: string
  /** As models call it; unique, `[A-Za-z0-9_-]{1,64}`. */
  readonly name: string
  readonly description: string
  /** JSON Schema of its arguments. */
  readonly parameters: Record<string, unknown>
  readonly source: ToolOrigin
  readonly server: {
    readonly id: string
    readonly name: string
    /** Host and port. */
    readonly reaches: string
    /** It is one account's alone. */
    readonly isPersonal?: boolean
  } | null
  /** Names the definition: a standing approval ends when it changes. */
  readonly digest: string
  readonly timeoutMs: number
  /** What its server calls it, where that is not what stands in its id. */
  readonly nameAtServer?: string
  /** It is for pages of its server (MCP Apps): no model is told of it. */
  readonly isForAppAlone?: boolean
  /** What was decided about it where it was registered; absent: it goes by what the tool does. */
  readonly mode?: ToolMode
  /** Addresses that a call would open; one that nobody here wrote and no search found is asked about. */
  addressesOf?(args: Record<string, unknown>): readonly string[]
  /** Whether the addresses of its passages were found by a search engine, so that they may be opened unasked. */
  readonly findsAddresses?: boolean
  /** Whether its arguments are shown while a model writes them. */
  readonly showsDraft?: boolean
  /** Checks arguments: null, or what is wrong with them, in words for the model. Absent for tools without a schema. */
  check?(args: unknown): Promise<string | null>
  run(args: Record<string, unknown>, context: ToolContext & ToolQuestions): Promise<ToolOutput>
}

interface Repeatable {
  /** Nothing was done yet when it was asked: the tool may be run again from its beginning with the answer. Absent: it may not. */
  readonly repeatable?: boolean
}

/** What a running tool may ask of the person; it waits as an approval does. */
export interface ToolQuestions {
  /** Whether the model that called looks at images; null: nobody says. */
  readonly vision?: boolean | null
  /** null: declined. `question` is answered by the ids of its questions. `form` is a flat JSON Schema, as MCP's elicitation has it; `signIn` waits until the account signed in. */
  ask(
    question:
      | { readonly kind: 'question'; readonly message: string; readonly questions: readonly ToolQuestion[] }
      | (Repeatable & { readonly kind: 'form'; readonly message: string; readonly schema: Record<string, unknown> })
      | (Repeatable & { readonly kind: 'url'; readonly message: string; readonly url: string })
      | { readonly kind: 'sign-in'; readonly serverId: string; readonly message: string },
  ): Promise<Record<string, unknown> | null>
}

/** What a person gave to a question for a file: an attachment, or a document of the chat. */
export interface GivenFile {
  readonly kind: 'attachment' | 'document'
  readonly id: string
}

/** The files that people give to questions; `features/chat` keeps them with the chat. */
export interface GivenFiles {
  /**
   * Prepares to keep them with the chat within a transaction, for a call; null, and false in the transaction: the account
   * does not have one of them, or not for this chat.
   */
  prepareKeep(given: {
    readonly accountId: string
    readonly chatId: string
    readonly callId: string
    readonly files: readonly GivenFile[]
  }): Promise<((trx: AnyTransaction) => Promise<boolean>) | null>
  /** One of them as a model gets files of a chat: text, a picture, or passages of a document that suit the question. */
  read(given: {
    readonly accountId: string
    readonly chatId: string
    readonly file: GivenFile
    readonly question: string
    /** Whether the model looks at images; null: nobody says. */
    readonly vision: boolean | null
    readonly signal: AbortSignal
  }): Promise<ToolOutput>
}

/** Whoever offers tools beside the areas: servers that are registered. */
export interface ToolSource {
  /**
   * Those that an account may use now, without asking any server: the same objects as long as nothing of them changed.
   * `role`: of the account, or what is being read of it; null: it may use none. `notes`: what is wrong, in words, by server.
   */
  list(
    accountId: string,
    role: Promise<'admin' | 'user' | null>,
  ): Promise<{
    readonly tools: readonly CatalogTool[]
    readonly notes: readonly string[]
    /** Ids of those that the account may use, and that are away for now. */
    readonly away?: readonly string[]
  }>
  /** Whether it has a server of this id that administrators manage; absent: it has no others. */
  isShared?(serverId: string): Promise<boolean>
}

/** A call as its account takes it along. */
export interface ExportedCall extends ToolCallEntry {
  readonly arguments: string
  /** All that it gave; null: nothing yet. */
  readonly result: string | null
}

/** `write` within the transaction that ends a run, `tell` after it. */
export interface AnswerWait {
  write(trx: AnyTransaction): Promise<void>
  tell(): Promise<void>
}

/** What `core/tools` offers other areas. */
export interface Tools {
  /** For `app/`: the tools of all areas. */
  addBuiltins(tools: readonly Tool[]): void
  addSource(source: ToolSource): void
  /** Whether an account may let models use tools at all. */
  mayUse(accountId: string): Promise<boolean>
  /** How often a model is asked for one answer. */
  maxRounds(): Promise<number>
  /** The tools of an answer; null: none may be used. Refuses with `tool_unavailable`. */
  open(request: ToolkitRequest): Promise<Toolkit | null>
  listUsable(accountId: string): Promise<UsableTools>
  /** Refuses with `tool_unavailable` ids that the account may not use; for what is stored before an answer begins. */
  requireIds(usable: UsableTools, ids: readonly string[]): Promise<void>
  /** Those of the ids that the account may use. */
  keepUsable(usable: UsableTools, ids: readonly string[]): string[]
  /** What a model would be told of, were the tools opened; ids that may not be used are left out. */
  describe(
    request: Pick<ToolkitRequest, 'accountId' | 'chatId' | 'contextWindow' | 'ids'>,
  ): Promise<readonly ToolSpec[]>
  /**
   * Calls back when all is decided that an answer which ended as waiting waits for, or a day is over; in one process,
   * once. What it rejects is tried again later, as the answer may not have been recorded as waiting yet.
   */
  onDecided(resume: (waiting: { readonly accountId: string; readonly subjectId: string }) => Promise<void>): void
  /** For whoever ends the run of an answer before its calls have ended: what is decided by then lets it go on at once. */
  prepareWait(subjectId: string): AnswerWait
  /** For the area of chats, which keeps the files that people give to questions. */
  onFiles(files: GivenFiles): void
  /** Whether a call of an answer that changes something was begun: what it did stays done. */
  hadEffect(accountId: string, subjectId: string): Promise<boolean>
  /** Ends what waits for an answer as denied: another question came. */
  denyWaiting(accountId: string, subjectId: string): Promise<void>
  /** Removes what is kept of an account's calls in a chat that goes; those of a former owner stay in their history. */
  removeChat(accountId: string, chatId: string): Promise<void>
  /** The calls of an account with their words, for its export, one after the other. */
  history(accountId: string): AsyncIterable<ExportedCall>
  /** Standing approvals of a server or tool end: it changed, or is gone. */
  endStanding(toolIds: readonly string[]): Promise<void>
}

export type { ToolApproval, ToolDecision }
