/** What the HTTP server is made of, and what it gives. */
import type { LimitName } from '@atrium/contract/route'
import type { Audit } from '../audit/index.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log/log.ts'
import type { Area } from './area.ts'
import type { Authenticate, AuthenticateProvisioner, Authorise, RequireFresh, RevocationCount } from './authenticate.ts'
import type { FollowerBounds } from './followers.ts'
import type { IntakeBounds } from './intake.ts'
import type { Page } from './pages.ts'
import type { RateOptions, RateRule } from './rates.ts'
import type { RedeemTicket } from './sockets.ts'

/** What is told of every answer, for metrics. `route` is the template, so that values stay few. */
export interface AnswerReport {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly durationMs: number
  readonly stream: boolean
}

export interface HttpOptions {
  readonly areas: readonly Area[]
  readonly authenticate: Authenticate
  /** Needed where directories may call. */
  readonly authenticateProvisioner?: AuthenticateProvisioner
  /** Needed where a route names a thing. */
  readonly authorise?: Authorise
  /** Needed where a route asks for a fresh proof. */
  readonly requireFresh?: RequireFresh
  readonly log: Log
  readonly clock: Clock
  /** Replaces single rate rules of the contract. */
  readonly limits?: Partial<Record<LimitName, RateRule>>
  /** How many proxies stand in front, or which addresses they have; `X-Forwarded-*` counts only from them. */
  readonly trustProxy?: number | readonly string[]
  /** Where people reach the instance; decides on secure cookies and HSTS. */
  readonly baseUrl?: URL | null
  readonly pages?: readonly Page[]
  /** Where calls of routes that are for the audit are written. */
  readonly audit?: Audit
  /** The built web app. */
  readonly staticFolder?: string
  /** Calls back when a session ends; gives a function that stops watching. */
  watchSession(sessionId: string, ended: () => void): () => void
  /** Calls back each time when what an account may do with things of others changes. */
  watchRights?(accountId: string, changed: () => void): () => void
  /** Whom a ticket for a WebSocket stands for; without it nobody comes in by one. */
  readonly redeem?: RedeemTicket
  /** Without it, callers are asked for again where it matters. */
  readonly revocationCount?: RevocationCount
  answered?(answer: AnswerReport): void
  /** Told of every request that a rate rule refuses; `own`: that of an API token. */
  limited?(rule: LimitName | 'own'): void
  /** Where other processes count the same callers; without it, this one counts by itself. */
  readonly sharedRates?: RateOptions['shared']
  /** Check every event of every stream; answers are always checked. */
  readonly checkEvents?: boolean
  readonly heartbeatMs?: number
  readonly stallMs?: number
  /** How long whoever reads bytes may take none of them. */
  readonly downloadStallMs?: number
  /** How long a process that leaves goes on answering while others are there. */
  readonly noticeMs?: number
  /** Replaces single bounds of what comes in. */
  readonly intake?: Partial<IntakeBounds>
  /** Replaces single bounds of how many streams somebody may have open. */
  readonly followers?: Partial<FollowerBounds>
  /** Replaces what may wait for clients that do not read. */
  readonly waitingBytes?: number
}

export interface Http {
  /** Starts to listen; gives the address. Port 0 takes a free one. */
  listen(host: string, port: number): Promise<string>
  /** Event streams, answers that are passed on as they come, and WebSockets. */
  readonly openStreams: number
  /** Of these, WebSockets. */
  readonly openSockets: number
  /** How many requests are not answered yet, beside those that only follow something. */
  readonly waiting: number
  /**
   * Takes no more requests but those of `/health`. `passOn`: whoever follows something is sent away, to come back to
   * another process, and so is everybody once proxies had time to notice.
   */
  leave(passOn: boolean): void
  /**
   * Takes no more requests, ends what is followed with `ends` and gives its last words time to arrive, ends streams,
   * lets what runs finish for `graceMs`, then closes.
   */
  stop(graceMs?: number, ends?: () => Promise<void>): Promise<void>
}
