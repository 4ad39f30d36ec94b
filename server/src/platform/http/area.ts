/** What an area is: routes bound to functions, plus what it offers to other areas. */
import type { ResourceType, Right } from '@atrium/contract/resources'
import type { EventOf, Input, Output, Route, RouteTable } from '@atrium/contract/route'
import type { z } from 'zod'
import type { JobHandlers } from '../jobs/types.ts'
import type { Migration } from '../db/types.ts'
import type { Form } from './form.ts'
import type { Refusal } from './refusal.ts'
import type { StaticFile } from './static-file.ts'

/** Who is asking, as `app/authenticate.ts` found out. */
export interface Caller {
  readonly accountId: string
  /** What the caller's streams hang on: the id of the session, or of the token. */
  readonly sessionId: string
  readonly role: 'admin' | 'user'
  /** How the token was sent. */
  readonly via: 'cookie' | 'bearer'
  /** The API token that stands for the account; null for a session. */
  readonly token: CallerToken | null
}

/** A directory that keeps accounts here, by the token it showed. It has no account, and no way in anywhere else. */
export interface Provisioner {
  readonly tokenId: string
}

export interface CallerToken {
  readonly id: string
  readonly scopes: readonly string[]
  /** The models it may use on `/v1`, as raw or qualified ids; null for all. */
  readonly models: readonly string[] | null
  readonly ratePerMinute: number
}

export interface Cookie {
  readonly name: string
  /** null removes the cookie. */
  readonly value: string | null
  readonly expiresAt?: number
  /** `Lax`: also sent when another site leads here, as a provider does after a sign-in. By default `Strict`. */
  readonly sameSite?: 'Strict' | 'Lax'
}

/** A thing that the path names, and what the caller may do with it. */
export interface AuthorisedResource {
  readonly type: string
  readonly id: string
  readonly ownerId: string
  readonly right: Right | 'owner'
}

/** What a handler may know of the request and say about the answer, beside its body. */
export interface Context<C = Caller, T = AuthorisedResource | null> {
  readonly caller: C
  /** The directory that calls, on its own routes only. */
  readonly provisioner: Provisioner | null
  /** Where the route says that its path names a thing. */
  readonly resource: T
  readonly requestId: string
  readonly address: string
  readonly userAgent: string | null
  /** Where the request was sent to: scheme and host, as a trusted proxy may name them. */
  readonly origin: string
  /** Aborted when the client goes away or the server stops. */
  readonly signal: AbortSignal
  /** A header of the request. */
  header(name: string): string | null
  /** A cookie of the request. */
  cookie(name: string): string | null
  /** Whether the answer is to be a stream. */
  readonly streams: boolean
  /** Where to go on in a stream: `Last-Event-ID`, else `?after=`, else 0. */
  readonly after: number
  answerStatus(status: 200 | 202): void
  /** Says that the handler wrote to the audit itself, in the transaction that did it: the route writes nothing more. */
  auditedHere(): void
  setCookie(cookie: Cookie): void
}

/** One frame of a stream: its place in the log, null for what is in no log or in another one, and the event. */
export interface Frame<E> {
  readonly seq: number | null
  readonly event: E
}

/** Bytes that are read only as far as they are asked for and as fast as they are taken: an `OpenFile` is such. */
export interface BytesInRanges {
  /** Names these very bytes: others have another one. It becomes the ETag; without it, no condition on a range holds. */
  readonly id?: string
  readonly size: number
  /** From one place up to another, the last one left out. */
  read(start: number, end: number): AsyncIterable<Uint8Array>
  /** The same, where each piece is good only until the next one is asked for. */
  lend?(start: number, end: number): AsyncIterable<Uint8Array>
}

/** The answer of a route that gives bytes. */
export interface BytesAnswer {
  /** One `Range` at a time is answered where it comes in ranges. In pieces, its size need not be known before. */
  readonly body: Uint8Array | BytesInRanges | AsyncIterable<Uint8Array>
  readonly mediaType: string
  /** Made safe by whoever gives it out: what a person wrote may stand here. */
  readonly fileName: string
  /** `inline` only for types that cannot run. */
  readonly disposition: 'inline' | 'attachment'
  /** The `Content-Security-Policy`, where it is stricter than that of all bytes. */
  readonly policy?: string
  /** Of a page that we wrote and that is meant to run: the headers that it has in the place of those of bytes. */
  readonly ownPage?: Readonly<Record<string, string>>
  /** Its address never gives anything else, so that the browser need not ask again. */
  readonly immutable?: boolean
  /** How long its reader may keep it without asking again; by default not at all. */
  readonly maxAgeSeconds?: number
}

/** The answer of a route in a foreign shape. */
export interface RelayAnswer {
  /** Where it is not that of the route. */
  readonly status?: number
  readonly mediaType: string
  readonly headers?: Readonly<Record<string, string>>
  /** Whole, or in pieces that each may stand alone: while it is quiet, an event stream gets comments between them. */
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array>
  /** The last words of a stream that fails on its way; without them the connection is cut. */
  readonly failed?: (refusal: Refusal) => string
}

/** The body of an upload route: read it once. */
export interface UploadedFile {
  readonly mediaType: string
  /** Collects the body; refuses with `too_large` past the route's limit. */
  bytes(): Promise<Uint8Array>
  /** Takes the body apart as a form while it arrives; refuses as `bytes` does, and with `validation_failed`. */
  form(): Promise<Form>
}

type CallerOf<R extends Route> = R['access'] extends 'public'
  ? Caller | null
  : R['access'] extends 'scim'
    ? null
    : Caller
type AuthorisedResourceOf<R extends Route> = R['names'] extends object ? AuthorisedResource : null
type Received<R extends Route> = Input<R> & (R['upload'] extends object ? { readonly file: UploadedFile } : unknown)
type Given<R extends Route> = R['streamOnRequest'] extends true
  ? Output<R> | AsyncIterable<Frame<EventOf<R>>>
  : R['stream'] extends object
    ? AsyncIterable<Frame<EventOf<R>>>
    : R['dialect'] extends string
      ? RelayAnswer
      : R['returns'] extends 'bytes'
        ? BytesAnswer
        : Output<R> | StaticFile

export type Handler<R extends Route> = (
  input: Received<R>,
  context: Context<CallerOf<R>, AuthorisedResourceOf<R>>,
) => Promise<Given<R>>
export type Handlers<T extends RouteTable> = { readonly [K in keyof T]: Handler<T[K]> }

/** A WebSocket that an area offers, to whoever has a ticket for it. */
export interface Socket {
  readonly path: `/${string}`
  /** What the ticket must be for. */
  readonly audience: string
  /** The thing that a field of the query names. Of several sockets at one path, it is the one whose field is there. */
  readonly names?: { readonly resource: ResourceType; readonly field: string; readonly right: Right }
  /** All that a client may say; whatever else it says closes the socket. Without it, that is anything at all. */
  readonly says?: z.ZodType
  /** What is sent. `after`: where to go on, if the client says so; `signal` aborts when the socket closes. */
  open(visit: SocketVisit): Promise<AsyncIterable<Frame<unknown>>>
}

export interface SocketVisit {
  readonly caller: Caller
  /** When its ticket was given out, in ms since 1970. */
  readonly issuedAt: number
  /** What the query names, where the socket says that it does. */
  readonly resource: AuthorisedResource | null
  readonly after: number | null
  /** A field of the query that is there once. */
  query(name: string): string | null
  /** Hears what the client says, as `says` of the socket has it; a refusal that is thrown closes the socket. */
  onSaid(hear: (said: unknown) => void): void
  readonly signal: AbortSignal
}

/** Handlers with their types forgotten, so that all areas sit in one list. */
export interface Area {
  readonly name: string
  readonly routes: RouteTable
  readonly handlers: Record<string, (input: never, context: never) => Promise<unknown>>
  readonly jobs?: JobHandlers
  readonly migrations?: readonly Migration[]
  readonly sockets?: readonly Socket[]
}

/** Routes bound to their handlers, whose types are still known. */
export type BoundRoutes<T extends RouteTable> = Area & { readonly handlers: Handlers<T> }

/** Checks handlers against routes: a missing, misspelt or wrongly typed handler does not compile. */
export const bindRoutes = <T extends RouteTable>(
  bound: { name: string; routes: T; handlers: Handlers<T> } & Pick<Area, 'jobs' | 'migrations' | 'sockets'>,
): BoundRoutes<T> => bound as unknown as BoundRoutes<T>
