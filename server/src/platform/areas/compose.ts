/** Creates the areas of a list in order, and runs them as one. */
import type { Migration } from '../db/types.ts'
import type { DiagnosticCheck } from '../diagnostics/checks.ts'
import type { FollowedStream } from '../events/types.ts'
import type { Area as ServedArea, Caller } from '../http/area.ts'
import type { JobHandlers } from '../jobs/types.ts'
import type { Platform } from '../platform.ts'
import { type SavedSettings, type SettingDescription, describeSettings } from '../settings/index.ts'
import type { AccountEventLog, AccountEvents } from '../events/account-events.ts'
import type { AnyArea, Area, AreaParts, ContractArea } from './define-area.ts'
import type { Tool } from './tool.ts'

type Areas = readonly AnyArea[]
type Intersect<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never
type NamedApi<A> = A extends Area<infer Name, never, never, infer Api> ? { readonly [N in Name]: Api } : never
type NeedsOf<A> = A extends Area<string, infer Needs, never, unknown> ? Needs : never
type NamedOptions<A> =
  A extends Area<infer Name, never, infer Options, unknown>
    ? undefined extends Options
      ? unknown
      : { readonly [N in Name]: Options }
    : never
/** What the areas of a list offer, by name. */
export type ApisOf<L extends Areas> = Intersect<NamedApi<L[number]>>
/** What the process gives the areas of a list, by name; nothing for areas that ask for none. */
export type OptionsOf<L extends Areas> = Intersect<NamedOptions<L[number]>>
/** Does not compile where an area needs what no area of the list offers. */
export type CompleteAreas<L extends Areas> = {
  [I in keyof L]: ApisOf<L> extends NeedsOf<L[I]> ? L[I] : { readonly needs: NeedsOf<L[I]> }
}

export interface Composition<Apis> {
  readonly apis: Apis
  /** Routes with their handlers, for the HTTP server. */
  readonly served: readonly ServedArea[]
  readonly resources: Readonly<Record<string, object>>
  readonly jobs: readonly JobHandlers[]
  readonly checks: readonly DiagnosticCheck[]
  /** What models may do with all areas, in the order of the list. */
  readonly tools: readonly Tool[]
  /** What an account follows beside its own stream; with a token, of the areas only that it may read. */
  followedStreams(caller: Pick<Caller, 'accountId' | 'token'>): Promise<readonly FollowedStream[]>
  /** What holds of the settings of all areas, and why; values only where they are plain. */
  describeSettings(): Promise<SettingDescription[]>
  /** Goes on where an earlier process ended. */
  start(): Promise<void>
  /** Begins repeated jobs and whatever else needs an open server. */
  listening(): Promise<void>
  /** Has areas take no new work, the last one first. */
  leave(): void
  /** Ends what requests wait for, the last area first. */
  drain(): Promise<void>
  /** Ends all else, the last area first. */
  stop(): Promise<void>
  /** Removes all that areas have of an account, the last area first. It may run again after a crash. */
  removeAccount(accountId: string): Promise<void>
}

/**
 * The steps of the schema: those of an area after those of the areas that it needs or whose tables it refers to, else in
 * the order of the list; each area's exist once. Throws when two have the same id.
 */
export const migrationsOf = (platform: readonly Migration[], areas: readonly AnyArea[]): readonly Migration[] => {
  const byName = new Map(areas.map((area) => [area.name, area]))
  const all = [...platform]
  const taken = new Set<string>()
  const take = ({ name, needs, references, migrations }: AnyArea): void => {
    if (taken.has(name)) return
    taken.add(name)
    for (const other of [...references, ...needs]) {
      const area = byName.get(other)
      if (area) take(area)
    }
    all.push(...migrations)
  }
  areas.forEach(take)
  const ids = new Set<string>()
  for (const { id } of all) {
    if (ids.has(id)) throw new Error(`The migration ${id} is there twice.`)
    ids.add(id)
  }
  return all
}

/**
 * Creates every area of a list. Throws a sentence when an area stands before one that it needs (a circle always does),
 * or when two have the same name.
 */
export const compose = <const L extends Areas>(
  platform: Omit<Platform, keyof AccountEvents | 'saved'> & {
    readonly accountEvents: AccountEventLog
    readonly saved: SavedSettings
  },
  areas: L & CompleteAreas<L>,
  options: OptionsOf<L>,
): Composition<ApisOf<L>> => {
  const { accountEvents, ...shared } = platform
  const { announce, announceAll, announceEach, prepareAnnouncement } = accountEvents
  const apis = new Map<string, unknown>()
  const created: { readonly area: AnyArea; readonly parts: AreaParts<ContractArea, unknown> }[] = []
  const described: (() => Promise<SettingDescription[]>)[] = []
  for (const area of areas as Areas) {
    if (apis.has(area.name)) throw new Error(`The area ${area.name} is there twice.`)
    const missing = area.needs.find((name) => !apis.has(name))
    if (missing) throw new Error(`The area ${area.name} needs ${missing}, which must stand before it in the list.`)
    const needs = Object.fromEntries(area.needs.map((name) => [name, apis.get(name)]))
    const own: Platform = {
      ...shared,
      announce,
      announceAll,
      announceEach,
      prepareAnnouncement,
      log: shared.log.child(area.name),
    }
    const settings = shared.saved.bind(area.settings)
    const given = (options as Record<string, unknown>)[area.name]
    const parts = area.create(own, needs as never, settings as never, given as never)
    const { on } = parts
    if (on) accountEvents.onEvent((accountId, { type }) => on[type]?.(accountId))
    apis.set(area.name, parts.api)
    created.push({ area, parts })
    described.push(() => describeSettings(area.name, area.settings, settings))
  }
  const backwards = created.toReversed()

  return {
    apis: Object.fromEntries(apis) as ApisOf<L>,
    served: created
      .filter(({ area }) => Object.keys(area.description.routes).length > 0)
      .map(({ area, parts }) => ({
        name: area.description.tag,
        routes: area.description.routes,
        handlers: parts.handlers as unknown as ServedArea['handlers'],
        ...(parts.sockets ? { sockets: parts.sockets } : {}),
      })),
    resources: Object.assign({}, ...created.map(({ parts }) => parts.resources)),
    jobs: created.map(({ parts }) => parts.jobs ?? {}),
    checks: created.flatMap(({ parts }) => parts.checks ?? []),
    tools: created.flatMap(({ parts }) => parts.tools ?? []),
    followedStreams: async ({ accountId, token }) => {
      const asked = created
        .filter(({ area }) => token?.scopes.includes(`${area.description.tag}:read`) ?? true)
        .map(async ({ parts }) => (await parts.followedStreams?.(accountId)) ?? [])
      return (await Promise.all(asked)).flat()
    },
    describeSettings: async () => (await Promise.all(described.map((describe) => describe()))).flat(),
    async start() {
      for (const { parts } of created) await parts.start?.()
    },
    async listening() {
      for (const { parts } of created) {
        for (const [kind, intervalMs] of parts.every ?? []) await platform.jobs.every(kind, {}, intervalMs)
        await parts.listening?.()
      }
    },
    leave() {
      for (const { parts } of backwards) parts.leave?.()
    },
    async drain() {
      for (const { parts } of backwards) await parts.drain?.()
    },
    async stop() {
      for (const { parts } of backwards) await parts.stop?.()
    },
    async removeAccount(accountId) {
      for (const { parts } of backwards) await parts.accountRemoved?.(accountId)
    },
  }
}
