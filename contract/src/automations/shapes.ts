/** Automations and their runs, as their owner sees them. */
import { z } from 'zod'
import { Id, Money, Selection, Time } from '../common.ts'
import { Cost } from '../generation.ts'
import { RunReason } from './area.ts'
import { Trigger, mostTriggers } from './triggers.ts'

export const mostAutomations = 200
export const mostInstructionLetters = 20_000
export const mostWaitingRuns = 100
export const mostTools = 64
export const mostCollections = 20
/** What a webhook or `run` may bring along. */
export const mostPayloadBytes = 1024 * 1024

const Name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(
    /^[^\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u,
    'leave out line breaks and marks that reorder text',
  )

/** Where the result goes. */
export const Target = z.discriminatedUnion('kind', [
  /** `sessionId`: the chat that goes on; null: a new one for each run. */
  z.strictObject({ kind: z.literal('chat'), sessionId: Id.nullable() }),
  /** It is asked in a new chat for each run; the answer goes to the channel, in the name of its owner. */
  z.strictObject({ kind: z.literal('channel'), channelId: Id }),
  /** A letter to its owner, at the confirmed address. */
  z.strictObject({ kind: z.literal('mail') }),
  /** One of the own webhooks, which is told `automation.result`, signed, with the text. */
  z.strictObject({ kind: z.literal('webhook'), webhookId: Id }),
])
export type Target = z.infer<typeof Target>

/** Of times at which nothing ran, because the server was off: none is made up for, one for all of them, or each (at most 50). */
export const Missed = z.enum(['skip', 'once', 'all'])
/** A run begins while an earlier one goes on: it is skipped, waits, takes its place, or runs beside it (five at most). */
export const Overlap = z.enum(['skip', 'queue', 'cancel', 'parallel'])
/** What its owner is told of. */
export const Notify = z.enum(['results', 'failures', 'off'])

/** What its owner writes. */
export const AutomationContent = z.strictObject({
  name: Name,
  /**
   * What the model is asked; what a trigger brings along follows it as data. Without a model, the text itself, where
   * `{{path.to.value}}` stands for what the trigger brought along.
   */
  instructions: z.string().trim().min(1).max(mostInstructionLetters),
  /** None: it runs by hand and by its webhook alone. */
  triggers: z.array(Trigger).max(mostTriggers),
  /** null: the default model of its owner at that time. */
  selection: Selection.nullable().default(null),
  /** false: no model is asked, and the text goes to the target as it is. */
  asksModel: z.boolean().default(true),
  webSearch: z.boolean().default(false),
  /** Tools that the model may use, by the ids of the catalogue. One that needs a yes makes the run wait for it. */
  tools: z.array(z.string().min(1).max(200)).max(mostTools).default([]),
  /** Where a new chat looks questions up: among the own documents that are in no collection, and in these collections. */
  useLibrary: z.boolean().default(true),
  collectionIds: z.array(Id).max(mostCollections).default([]),
  target: Target.default({ kind: 'chat', sessionId: null }),
  missed: Missed.default('once'),
  overlap: Overlap.default('skip'),
  /** Of failures that pass by themselves. */
  retries: z.number().int().min(0).max(5).default(1),
  timeoutMinutes: z.number().int().min(1).max(240).default(30),
  /** In the currency of the instance. A run that cost so much is not tried again; a month that did begins no more runs. */
  mostRunCost: Money.nullable().default(null),
  mostMonthCost: Money.nullable().default(null),
  /** A month of UTC in which its runs took so long begins no more runs. */
  mostMonthMinutes: z.number().int().min(1).max(44_640).nullable().default(null),
  /** Its triggers count between these. */
  startsAt: z.iso.datetime({ offset: true }).nullable().default(null),
  endsAt: z.iso.datetime({ offset: true }).nullable().default(null),
  /** How often its triggers start it in all. */
  mostRuns: z.number().int().min(1).max(1_000_000).nullable().default(null),
  notify: Notify.default('results'),
})
export type AutomationContent = z.infer<typeof AutomationContent>

export const RunState = z.enum([
  'queued',
  'running',
  'waiting',
  'succeeded',
  'failed',
  'cancelled',
  'skipped',
  'missed',
])
export type RunState = z.infer<typeof RunState>
export const RunTrigger = z.enum(['schedule', 'webhook', 'manual', 'event'])
export type RunTrigger = z.infer<typeof RunTrigger>

export const Automation = AutomationContent.extend({
  id: Id,
  status: z.enum(['active', 'paused']),
  /** Ten runs in a row failed. */
  pausedByFailures: z.boolean(),
  /** null: nothing starts it by itself any more, or for now. */
  nextRunAt: Time.nullable(),
  lastRun: z.strictObject({ id: Id, state: RunState, scheduledFor: Time }).nullable(),
  webhookEnabled: z.boolean(),
  /** What its runs cost since the month began (UTC); null where nobody knows. */
  monthCost: Cost.nullable(),
  createdAt: Time,
  updatedAt: Time,
})
export type Automation = z.infer<typeof Automation>

export const AutomationRun = z.strictObject({
  id: Id,
  automationId: Id,
  state: RunState,
  trigger: RunTrigger,
  /** When it was to begin. */
  scheduledFor: Time,
  startedAt: Time.nullable(),
  endedAt: Time.nullable(),
  /** How often it was tried. */
  tries: z.number().int(),
  reason: RunReason.nullable(),
  /** Of all tries; null where nobody told. */
  inputTokens: z.number().int().nullable(),
  outputTokens: z.number().int().nullable(),
  cost: Cost.nullable(),
  /** The chat that holds what came of it, and the answer there. */
  sessionId: Id.nullable(),
  messageId: Id.nullable(),
  /** Its owner has seen how it ended. */
  seen: z.boolean(),
})
export type AutomationRun = z.infer<typeof AutomationRun>
