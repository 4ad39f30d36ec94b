/** What the model server was told to do, and what it has seen. */

export const faultKinds = [
  'stall-headers',
  'stall',
  'reset',
  'close',
  'half-json',
  'bad-frame',
  'wrong-type',
  'invalid-utf8',
  'error-mid',
  'error-200',
  'status-400',
  'status-401',
  'status-403',
  'status-404',
  'status-429',
  'status-500',
  'status-503',
  'context',
  'huge',
  'endless-line',
  'redirect',
  'chop',
] as const
export type FaultKind = (typeof faultKinds)[number]

/** One call as it arrived. `ended` is `aborted` when the caller went away before the answer was whole. */
export interface Seen {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly model: string | null
  readonly authorization: string | null
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: unknown
  /** Tokens that the local runtime cut off the beginning of the prompt, because its window did not hold them. */
  cut: number
  ended: 'running' | 'complete' | 'aborted'
  endedAt: number | null
}

/** What `POST /control` may set; whatever is absent stays as it is. */
export interface Orders {
  /** Back to the beginning before the rest is applied. */
  reset?: boolean
  /** A fault for every operation, whatever the model; null ends it. */
  fault?: FaultKind | null
  /** How many more calls meet `fault`; null: all. */
  times?: number | null
  /** A fault for the model list alone. */
  listFault?: FaultKind | null
  /** Tokens sent before a fault in mid-stream strikes. */
  after?: number
  msPerToken?: number
  /** Tokens of each answer after which it waits until this is null again. */
  holdAfter?: number | null
  firstTokenMs?: number
  /** Chat completions demand this key; null: none. */
  apiKey?: string | null
  /** Bedrock takes calls that are signed with this pair, `ACCESSKEY:SECRET`, as well as those with `apiKey`. */
  awsKey?: string | null
  /** Refuses what the makers refuse: see strict.ts. */
  strict?: boolean
  /** How many numbered models the lists hold beside the usual ones. */
  extraModels?: number
  /** Replaces the names of the lists; null: the usual ones. */
  models?: string[] | null
  /** A fixed answer where the last question holds `match` (no case). */
  answers?: { match: string; answer: string }[]
  pullSteps?: number
  pullStepMs?: number
  /** Where the files of makers lie that have a host of their own for them; null: here. */
  filesAt?: string | null
}

export type Control = Required<Omit<Orders, 'reset'>>

export interface State {
  control: Control
  /** The last 500 calls, oldest first. */
  seen: Seen[]
  /** All calls, by path. */
  counts: Record<string, number>
  /** Names deleted from, and pulled into, the local runtime. */
  deleted: Set<string>
  pulled: Set<string>
  loaded: Map<string, number>
  /** Films, and whatever else takes a while, that were asked for, by the id of the job. */
  films: Map<string, { readonly model: string; looks: number; cancelled: boolean }>
  /** Pictures that were laid down to work from, by name. */
  uploads: Set<string>
  /** Models that were copied or made, with what they are made of. */
  made: Map<string, Made>
}

export interface Made {
  readonly from: string
  readonly system?: string
  readonly template?: string
  readonly parameters?: Readonly<Record<string, unknown>>
}

const beginning = (): Control => ({
  fault: null,
  times: null,
  listFault: null,
  after: 3,
  msPerToken: 0,
  holdAfter: null,
  firstTokenMs: 0,
  apiKey: null,
  awsKey: null,
  strict: false,
  extraModels: 0,
  models: null,
  answers: [],
  pullSteps: 5,
  pullStepMs: 20,
  filesAt: null,
})

export const createState = (): State => ({
  control: beginning(),
  seen: [],
  counts: {},
  deleted: new Set(),
  pulled: new Set(),
  loaded: new Map(),
  made: new Map(),
  films: new Map(),
  uploads: new Set(),
})

export function obey(state: State, { reset, ...orders }: Orders): void {
  if (reset) Object.assign(state, createState())
  Object.assign(state.control, orders)
}

/** The fault that this call meets: the ordered one first, else the one that the model is named after. */
export function faultFor(state: State, model: string | null): FaultKind | null {
  const { control } = state
  if (control.fault && (control.times === null || control.times > 0)) {
    if (control.times !== null) control.times -= 1
    return control.fault
  }
  const name = model?.split(':')[0]
  return faultKinds.find((kind) => kind === name) ?? null
}
