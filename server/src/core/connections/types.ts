/** Types of connections: the definition of an id, and an account's settings of it. */
import type { Selection } from '@atrium/contract/common'
import type { Capabilities, Definition, DefinitionSource, Discovery, ModelList } from '@atrium/contract/connections'
import type { BundledDefinition } from '../../providers/definitions.ts'
import type { ListedModel } from '../../providers/model-list.ts'
import type { CallNews } from '../../providers/operations/index.ts'
import type { RelayedAnswer } from '../../providers/relay.ts'
import type { ResolvedRoute } from '../../providers/route.ts'
import type { Part, Turn } from '../../providers/types.ts'

/** Values of variables by their names, as somebody saved them. */
export type StoredValues = Readonly<Record<string, string | number | boolean>>

export type CapabilityName = keyof Capabilities

export interface CapabilityRoute {
  readonly url: string
  /** Where the models of this capability are listed; null: with all the others. */
  readonly modelsUrl: string | null
  /** Further addresses that its options name, and a key may be sent to. */
  readonly others?: readonly string[]
  /** The same by their names among the options, as calls go there. */
  readonly named?: Readonly<Record<string, string>>
}

export interface ConnectionRoute extends ResolvedRoute {
  readonly capabilities: Readonly<Partial<Record<CapabilityName, CapabilityRoute>>>
  /** Nothing that administrators set moves it away from the definition. */
  readonly unmoved: boolean
  /** Why no call can be made, in words: the parts make no address. */
  readonly fault: string | null
}

/** The definition of an id: bundled with Atrium, or installed, perhaps in the place of a bundled one. */
export interface InstalledDefinition {
  readonly definition: Definition
  readonly source: DefinitionSource
  /** The bundled definition of this id, also where an installed one replaces it: it names the wire. */
  readonly bundled: BundledDefinition | null
  /** The connection variables that administrators saved, for the whole instance. */
  readonly values: StoredValues
  readonly route: ConnectionRoute
  /** What keys and catalogues are bound to: changes whenever calls would go elsewhere, or carry the key otherwise. */
  readonly fingerprint: string
  /** null for what comes with Atrium. */
  readonly createdAt: number | null
  readonly updatedAt: number | null
}

export interface ModelCatalogue {
  /** null: nothing was ever found. */
  readonly models: readonly ListedModel[] | null
  readonly discoveredAt: number | null
  readonly checkedAt: number
  readonly outcome: Discovery
}

/** What one account has of one connection. */
export interface AccountSettings {
  readonly activatedAt: number | null
  /** An administrator gave it the connection, so that it is on unless the account switched it off. */
  readonly shared: boolean
  /** It is for others alone: only administrators may know of it. */
  readonly excluded: boolean
  /** The key that administrators keep for those who have the connection; null when there is none for this account and route. */
  readonly sharedKey: string | null
  /** The stored key; null when there is none, or it was saved for another route. */
  readonly key: string | null
  /** A key is stored, but for another route. */
  readonly keyElsewhere: boolean
  /** The account's own values of variables. */
  readonly values: StoredValues
  readonly catalogue: ModelCatalogue | null
}

export interface AccountConnection {
  readonly installed: InstalledDefinition
  readonly own: AccountSettings
}

/** A model that can be asked now. */
export interface UsableModel {
  /** `builtin`: no language model; it answers from files alone. `agent`: a program on the server that holds a chat. */
  readonly kind: 'wire' | 'builtin' | 'agent'
  readonly selection: Selection
  readonly name: string
  readonly providerName: string
  /** Tokens; null when nobody says. */
  readonly contextWindow: number | null
  /** null: nobody says. */
  readonly vision: boolean | null
  readonly tools: boolean | null
  readonly thinking: boolean | null
  /** Whether a turn that ends with the model's own unfinished words is continued from there. */
  readonly prefills: boolean
  /** Whether it takes the size of its window with the request (`num_ctx`). */
  readonly sizesWindow: boolean
  /** Whether it draws in its answers when it is asked to. */
  readonly draws?: boolean
  /** Asks it, once it is admitted. Throws ProviderFailure, also in the middle. */
  ask(turn: Turn, signal: AbortSignal, about?: CallOrigin): AsyncIterable<readonly Part[]>
  /** Takes requests that are worded for its wire already; absent where no client speaks its format. */
  readonly relay?: ModelRelay | null
}

/** A request in the format of a wire. */
export interface WireRequest {
  readonly body: Readonly<Record<string, unknown>>
  readonly stream: boolean
  /** For what is reserved; null where no limit was asked for. */
  readonly outputTokens: number | null
  /** Headers of the format that the client said, beside those of the wire. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal: AbortSignal
}

/** Passes on requests in the format of one wire, and returns the answer's bytes. */
export interface ModelRelay {
  /** The id of the wire. */
  readonly wire: string
  /** Throws ProviderFailure when the call is not admitted. */
  open(request: WireRequest, about: CallOrigin): Promise<RelayedAnswer>
  /** How many tokens a request has as the provider counts them; null where it does not count. Throws ProviderFailure. */
  count(request: Pick<WireRequest, 'body' | 'headers' | 'signal'>): Promise<number | null>
}

/** Who asks, beyond the account. */
export interface CallOrigin {
  /** The API token that asks. */
  readonly tokenId: string | null
}

/** Who asks for media, and wants to hear of it while it is made. */
export interface MakingOrigin extends CallOrigin {
  readonly heard?: ((news: CallNews) => void) | undefined
  /** So many pictures as far as they are, too, where the provider has them: they cost. */
  readonly partials?: number | undefined
}

/** The agents on the server as models among models, for the area that has them. */
export interface AgentModels {
  /** Nothing for accounts that may not use them. */
  list(accountId: string): Promise<Pick<ModelList, 'items' | 'providers'>>
  resolve(accountId: string, selection: Selection): Promise<ModelResolution>
}

/** The model of a selection, or why it cannot be used, in words. Never another model. */
export type ModelResolution = { readonly model: UsableModel } | { readonly unavailable: string }
