/**
 * A route is a value. From it come the server's checks, the OpenAPI document, the web's client and the tests' client.
 */
import type { z } from 'zod'
import type { AuditAction } from './audit/actions.ts'
import type { ErrorCode } from './errors.ts'
import type { Named } from './rights.ts'

/** Who may call: anyone, an active account, an administrator, or a directory that keeps accounts here (SCIM). */
export const accesses = ['public', 'user', 'admin', 'scim'] as const
export type Access = (typeof accesses)[number]

/** Named rate rules: so many requests in so many milliseconds, counted per account (or per address for guests). */
export const limits = {
  'sign-in': { max: 20, windowMs: 15 * 60_000 },
  'sign-up': { max: 10, windowMs: 15 * 60_000 },
  mfa: { max: 10, windowMs: 15 * 60_000 },
  passkey: { max: 30, windowMs: 15 * 60_000 },
  ticket: { max: 120, windowMs: 5 * 60_000 },
  links: { max: 30, windowMs: 15 * 60_000 },
  'link-open': { max: 60, windowMs: 15 * 60_000 },
  'link-read': { max: 600, windowMs: 60_000 },
  external: { max: 60, windowMs: 15 * 60_000 },
  account: { max: 300, windowMs: 15 * 60_000 },
  read: { max: 3000, windowMs: 60_000 },
  write: { max: 600, windowMs: 60_000 },
  generate: { max: 120, windowMs: 60_000 },
  channel: { max: 240, windowMs: 60_000 },
  inference: { max: 600, windowMs: 60_000 },
  stop: { max: 3000, windowMs: 60_000 },
  upload: { max: 120, windowMs: 60_000 },
  documents: { max: 600, windowMs: 60_000 },
  gallery: { max: 120, windowMs: 60_000 },
  'media-making': { max: 10, windowMs: 60_000 },
  'media-polling': { max: 60, windowMs: 60_000 },
  thumbnail: { max: 3000, windowMs: 60_000 },
  scim: { max: 3000, windowMs: 60_000 },
  connect: { max: 100, windowMs: 15 * 60_000 },
  diagnostics: { max: 120, windowMs: 15 * 60_000 },
  'tool-server': { max: 240, windowMs: 60_000 },
  speech: { max: 120, windowMs: 60_000 },
  transcribe: { max: 30, windowMs: 60_000 },
  webhook: { max: 300, windowMs: 60_000 },
  // A page that is being written is shown anew twice a second.
  sandbox: { max: 3000, windowMs: 15 * 60_000 },
} as const
export type LimitName = keyof typeof limits

/** Marks a route that answers with raw bytes instead of JSON. */
export const bytes = 'bytes' as const

/** Marks a route that answers with 302 and an address to go on to. */
export const redirect = 'redirect' as const

/** Clients whose shapes of answers and refusals are not ours. */
export type Dialect = 'openai' | 'anthropic' | 'scim'

export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  readonly path: `/${string}`
  readonly access: Access
  readonly summary: string
  /** For people who signed in: no API token will do, whatever its scopes. */
  readonly forPeople?: true
  /**
   * What it does lets somebody into an account, or takes a way in away: refused with `fresh_proof_needed` unless its
   * session began in the last ten minutes, or was proved anew since (`POST /api/auth/proof`). `sometimes`: the handler
   * asks, as not everything it does is of that kind. API tokens are asked for their scopes alone.
   */
  readonly proof?: true | 'sometimes'
  /** What its path names; for every path with parameters. The caller's right to it is looked at before the handler runs. */
  readonly names?: Named
  /** Rate rule; by default `read` for get and `write` for the rest. */
  readonly limit?: LimitName
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** The body is one file, sent raw; its name travels in the query, its type in `Content-Type`. */
  readonly upload?: {
    readonly maxBytes: number
    /** It comes as the field `file` of a form, with these beside it. The handler reads and checks the form. */
    readonly form?: z.ZodObject
  }
  readonly returns: z.ZodType | typeof bytes | typeof redirect
  /** The answer is a server-sent event stream of these; `returns` is then ignored. */
  readonly stream?: z.ZodType
  /** Only who asks for `text/event-stream` gets the stream, and everybody else `returns`. */
  readonly streamOnRequest?: true
  readonly status?: 200 | 202
  /** Never cached, by anyone. */
  readonly noStore?: boolean
  /**
   * Answers and refusals have the shape that these clients know. The handler words the answer itself, whole or as a
   * stream; `returns` describes it and is not checked.
   */
  readonly dialect?: Dialect
  /** Of its answers, where JSON is not the only one; for routes with a dialect. */
  readonly mediaTypes?: readonly string[]
  /** The largest JSON body, where it is not the usual one. */
  readonly maxBodyBytes?: number
  /** How many values (objects, arrays, texts, numbers, words) a JSON body holds at most, where it is not the usual number. */
  readonly maxBodyValues?: number
  /** The last parameter of the path may hold slashes. */
  readonly slashes?: true
  /** What is written to the audit of every call, with the names of the fields that were sent, and how it ended. */
  readonly audit?: AuditAction
  /** Codes beyond those every route can answer (`validation_failed`, `unauthenticated`, `rate_limited`, …). */
  readonly errors?: readonly ErrorCode[]
}

export type RouteTable = Record<string, Route>

/** Keeps the literal types of a table of routes. */
export const routes = <const R extends RouteTable>(table: R): R => table

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Given<S> = S extends z.ZodType ? z.input<S> : undefined

/** What a handler receives, after checking. */
export interface Input<R extends Route> {
  readonly params: Parsed<R['params']>
  readonly query: Parsed<R['query']>
  readonly body: Parsed<R['body']>
}
/** What a handler gives back. */
export type Output<R extends Route> = R['returns'] extends z.ZodType
  ? z.input<R['returns']>
  : R['returns'] extends 'redirect'
    ? string
    : Uint8Array
/** What a client gets. */
export type Answer<R extends Route> = R['returns'] extends z.ZodType ? z.output<R['returns']> : Blob
/** One event of a streaming route. */
export type EventOf<R extends Route> = R['stream'] extends z.ZodType ? z.output<R['stream']> : never

type Part<K extends string, S> = S extends z.ZodType
  ? Record<string, never> extends z.input<S>
    ? { readonly [P in K]?: z.input<S> }
    : { readonly [P in K]: z.input<S> }
  : unknown
/** What a client must say to call the route. */
export type Call<R extends Route> = Part<'params', R['params']> &
  Part<'query', R['query']> &
  Part<'body', R['body']> &
  (R['upload'] extends object ? { readonly file: Blob } : unknown)
export type GivenBody<R extends Route> = Given<R['body']>
