/** Serves some areas over real HTTP, for the tests of an area that needs no whole app. */
import type { LimitName } from '@atrium/contract/route'
import { limits } from '@atrium/contract/route'
import type { Audit } from '../platform/audit/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Authorise, RequireFresh } from '../platform/http/authenticate.ts'
import { type Authenticate, type RateRule, createHttp } from '../platform/http/index.ts'
import type { Area } from '../platform/http/area.ts'
import { createLog } from '../platform/log/log.ts'
import { type Client, createClient } from './client.ts'

export interface Served {
  /** A client without a token; `as(token)` gives one with it. */
  readonly guest: Client
  /** The lines of the log. */
  readonly lines: readonly string[]
  stop(): Promise<void>
}

export interface ServeOptions {
  readonly areas: readonly Area[]
  readonly authenticate: Authenticate
  readonly clock: Clock
  /** What is asked where a path names a thing. */
  readonly authorise?: Authorise
  /** By default every session is fresh. */
  readonly requireFresh?: RequireFresh
  readonly watchSession?: (sessionId: string, ended: () => void) => () => void
  readonly watchRights?: (accountId: string, changed: () => void) => () => void
  readonly audit?: Audit
  readonly limits?: Partial<Record<LimitName, RateRule>>
}

/** Rates are out of the way, unless a rule is given. */
export const serveAreas = async (options: ServeOptions): Promise<Served> => {
  const lines: string[] = []
  const wide = Object.fromEntries(Object.keys(limits).map((name) => [name, { max: 1_000_000, windowMs: 1000 }]))
  const http = await createHttp({
    areas: options.areas,
    authenticate: options.authenticate,
    ...(options.authorise ? { authorise: options.authorise } : {}),
    requireFresh: options.requireFresh ?? (async () => undefined),
    ...(options.audit ? { audit: options.audit } : {}),
    clock: options.clock,
    log: createLog({ level: 'debug', write: (line) => void lines.push(line) }),
    watchSession: options.watchSession ?? (() => () => undefined),
    ...(options.watchRights ? { watchRights: options.watchRights } : {}),
    limits: { ...wide, ...options.limits },
    checkEvents: true,
  })
  return { guest: createClient(await http.listen('127.0.0.1', 0)), lines, stop: () => http.stop(100) }
}
