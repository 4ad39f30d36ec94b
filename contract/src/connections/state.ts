/** What an account has of a provider: connection, models, values of variables, and what a test found. */
import { z } from 'zod'
import { Selection, Time } from '../common.ts'
import { Capability, DefinitionSource } from './definition.ts'

/** US dollars per million tokens; null where no price is known. */
export const ModelPrice = z.strictObject({ input: z.number().nullable(), output: z.number().nullable() })
export type ModelPrice = z.infer<typeof ModelPrice>

/** One model that may be picked for chat. */
export const Model = z.strictObject({
  selection: Selection,
  name: z.string(),
  providerName: z.string(),
  /** Tokens; null when the provider does not say. */
  contextWindow: z.number().int().nullable(),
  features: z.array(z.enum(['vision', 'tools', 'thinking'])),
  /** What it is said to do; labels, not health checks. */
  capabilities: z.array(Capability),
  price: ModelPrice.nullable(),
  /** The median time to the first piece on this server, of 30 days; null with fewer than five successful calls. */
  firstTokenMs: z.number().int().nullable(),
  /** The share of calls of 7 days that failed on this server, 0 to 1; null with fewer than ten calls. */
  errorShare: z.number().min(0).max(1).nullable(),
  local: z.boolean(),
  sizeBytes: z.number().int().nullable(),
  /** When it was made, as its provider says; of models on the local runtime, when they last changed there. */
  createdAt: Time.optional(),
  /** Recommended by an administrator of the instance. */
  starred: z.boolean().optional(),
  /** Hidden from everybody but administrators. */
  hidden: z.boolean().optional(),
})
export type Model = z.infer<typeof Model>

export const ModelProvider = z.strictObject({
  providerType: z.enum(['local', 'plugin', 'agent', 'builtin']),
  providerId: z.string().nullable(),
  name: z.string(),
  modelCount: z.number().int(),
  /** What the last look at the catalogue found; the old catalogue stays in use after a failure. */
  state: z.enum(['ready', 'key-needed', 'unreachable', 'not-checked', 'disabled']),
  detail: z.string().nullable(),
})
export type ModelProvider = z.infer<typeof ModelProvider>

export const ModelList = z.strictObject({
  items: z.array(Model),
  providers: z.array(ModelProvider),
  /** The model a new chat starts with, and why. */
  fallback: z
    .strictObject({
      selection: Selection,
      because: z.enum(['own-default', 'last-used', 'instance-default', 'only-model', 'first-connected']),
    })
    .nullable(),
})
export type ModelList = z.infer<typeof ModelList>

/** One model of a connection's catalogue, of any kind. */
export const CatalogueModel = z.strictObject({
  id: z.string(),
  /** Empty for what Atrium has no use for: moderation, ranking. */
  capabilities: z.array(Capability),
  features: z.array(z.enum(['vision', 'tools', 'thinking'])),
  contextWindow: z.number().int().nullable(),
  price: ModelPrice.nullable(),
  /** Whether the provider listed it, or only the definition names it. */
  listed: z.boolean(),
})
export type CatalogueModel = z.infer<typeof CatalogueModel>

/** The four outcomes of a refresh, with the figures or the reason behind them. */
export const Discovery = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('updated'), added: z.number().int(), removed: z.number().int() }),
  z.strictObject({ outcome: z.literal('unchanged') }),
  z.strictObject({ outcome: z.literal('missing_credentials'), reason: z.string() }),
  z.strictObject({ outcome: z.literal('unavailable'), reason: z.string() }),
])
export type Discovery = z.infer<typeof Discovery>

/**
 * Which key calls would carry: none is needed, none is there, the account's own, the account's own for another route
 * (not used until it is saved again), one that an administrator keeps for those who have the connection, the operator's
 * from the environment, or the server's sign-in.
 */
export const KeyState = z.enum(['none-needed', 'missing', 'saved', 'other-route', 'shared', 'environment', 'sign-in'])
export type KeyState = z.infer<typeof KeyState>

/** One connection as its account sees it. */
export const Connection = z.strictObject({
  id: z.string(),
  name: z.string(),
  source: DefinitionSource,
  type: z.string(),
  /** Where chat calls go; with `{model}` where the model stands in the address. */
  endpoint: z.string(),
  active: z.boolean(),
  /** An administrator gave it to this account: it is on unless the account switches it off. */
  shared: z.boolean(),
  needsKey: z.boolean(),
  /** An own key is stored, and bound to the route as it stands. */
  hasKey: z.boolean(),
  keyState: KeyState,
  /** In words, why no key can be used; null when one can, or none is needed. */
  keyDetail: z.string().nullable(),
  /** The last characters of the stored key. */
  keyEnding: z.string().nullable(),
  signIn: z.boolean(),
  local: z.boolean(),
  /** What its catalogue holds, as labels. */
  capabilities: z.array(Capability),
  /** Whether it has variables that this account may set. */
  hasVariables: z.boolean(),
  modelCount: z.number().int(),
  /** Models of the catalogue that are not for chat (speech, images, embeddings). */
  otherCount: z.number().int(),
  discoveredAt: z.string().nullable(),
  lastOutcome: Discovery.nullable(),
})
export type Connection = z.infer<typeof Connection>

export const PluginStatus = z.strictObject({
  id: z.string(),
  active: z.boolean(),
  /** It takes no key, or a usable one stands ready. */
  available: z.boolean(),
})
export type PluginStatus = z.infer<typeof PluginStatus>

/** One variable of a definition, with the value that is in force for this account. */
export const VariableValue = z.strictObject({
  name: z.string(),
  /** Bullets for a sensitive one; null when it is not set and has no default. */
  value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  isSensitive: z.boolean(),
  /** A value was saved; else `value` is the definition's default. */
  hasValue: z.boolean(),
  /** Part of the route: one value for the instance, which administrators set. */
  isConnection: z.boolean(),
})
export type VariableValue = z.infer<typeof VariableValue>

/** Values by the names of their variables. */
export const VariableValues = z.record(z.string(), VariableValue)
export type VariableValues = z.infer<typeof VariableValues>

/** One step of a test, told only when it was really taken. */
export const TestStep = z.strictObject({
  step: z.enum(['resolve', 'reach', 'authorise', 'models', 'chat']),
  state: z.enum(['ok', 'failed', 'skipped']),
  detail: z.string(),
  ms: z.number().int(),
})
export type TestStep = z.infer<typeof TestStep>

const StepName = TestStep.shape.step

/** What a test tells while it runs: steps as they begin and are done, several at a time, and at the end all of them. */
export const TestEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('started'), data: z.strictObject({ step: StepName }) }),
  z.strictObject({ type: z.literal('step'), data: TestStep }),
  /** The last event: every step, from the name to the answer. */
  z.strictObject({ type: z.literal('ended'), data: z.strictObject({ steps: z.array(TestStep) }) }),
])
export type TestEvent = z.infer<typeof TestEvent>

const RuntimeKind = z.enum(['ollama', 'openai-compatible'])

export const FoundRuntime = z.strictObject({
  /** `plugin`: what a definition that comes with Atrium connects. */
  kind: z.enum([...RuntimeKind.options, 'plugin']),
  /** The id of that definition. */
  pluginId: z.string().nullable(),
  name: z.string(),
  url: z.string(),
  modelCount: z.number().int(),
  connected: z.boolean(),
})
export type FoundRuntime = z.infer<typeof FoundRuntime>

/** What stands at an address, with the address as it is to be stored. */
export const ProbeResult = z.strictObject({ kind: RuntimeKind, url: z.string() })
export type ProbeResult = z.infer<typeof ProbeResult>
