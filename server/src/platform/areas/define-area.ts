/**
 * An area of the server is a value: what it needs of other areas, its migrations and how it is created. `compose()`
 * creates all of a list in order.
 */
import type { AreaDescription } from '@atrium/contract/area'
import type { AccountEvent } from '@atrium/contract/events'
import type { RouteTable } from '@atrium/contract/route'
import type { z } from 'zod'
import type { Migration } from '../db/types.ts'
import type { DiagnosticCheck } from '../diagnostics/checks.ts'
import type { FollowedStream } from '../events/types.ts'
import type { Handlers, Socket } from '../http/area.ts'
import type { JobHandlers } from '../jobs/types.ts'
import type { MetricDefinitions } from '../metrics/definition.ts'
import type { Platform } from '../platform.ts'
import type { BoundDeclarations, SettingDeclarations } from '../settings/index.ts'
import type { SealedColumn } from '../vault/sealed-columns.ts'
import type { Tool } from './tool.ts'

/** An area as the contract has it. */
export interface ContractArea extends AreaDescription {
  readonly routes: RouteTable
  /** Schemas that have a name in the description of the interface. */
  readonly shapes?: Readonly<Record<string, z.ZodType>>
}

/** What an area tells when it is created. */
export type AreaParts<D extends ContractArea, Api> = CommonParts<D, Api> & ResourcesPart<D>

/** One for each kind of the area's description; a missing one does not compile. */
type ResourcesPart<D extends ContractArea> = D extends { readonly resources: infer Kinds }
  ? { readonly resources: { readonly [K in keyof Kinds]: object } }
  : { readonly resources?: undefined }

interface CommonParts<D extends ContractArea, Api> {
  /** One for each route of the area; a missing or wrongly typed one does not compile. */
  readonly handlers: Handlers<D['routes']>
  readonly jobs?: JobHandlers
  /** Jobs of the instance that run again and again: kind, and milliseconds between two runs. */
  readonly every?: readonly (readonly [kind: string, intervalMs: number])[]
  readonly sockets?: readonly Socket[]
  /** What models may do with it for the account that asks. */
  readonly tools?: readonly Tool[]
  /** What an operator wants to know of it. */
  readonly checks?: readonly DiagnosticCheck[]
  /**
   * Shared streams, beside its own, that an account follows now: a page gets them over its one connection. Asked again
   * when the rights of the account change (`access.announceReach`), and every few seconds.
   */
  readonly followedStreams?: (accountId: string) => Promise<readonly FollowedStream[]>
  /** Told of events of accounts before open pages are. */
  readonly on?: { readonly [T in AccountEvent['type']]?: (accountId: string) => void }
  /** Removes what an account has beside its resources. It may run again after a crash. */
  readonly accountRemoved?: (accountId: string) => Promise<void>
  /** Goes on where an earlier process ended; before the first request. */
  readonly start?: () => Promise<void>
  /** Begins what needs an open server; after the first request can come. */
  readonly listening?: () => Promise<void>
  /** Takes no new work; what runs has its time until `drain`. */
  readonly leave?: () => void
  /** Ends what requests may still wait for. */
  readonly drain?: () => Promise<void>
  /** Ends all else; after the last request and the last job. */
  readonly stop?: () => void | Promise<void>
  /** What other areas may use of this one. */
  readonly api: Api
}

export interface Area<Name extends string = string, Needs = object, Options = unknown, Api = unknown> {
  readonly name: Name
  readonly description: ContractArea
  readonly needs: readonly string[]
  readonly migrations: readonly Migration[]
  readonly sealed: readonly SealedColumn[]
  readonly references: readonly string[]
  readonly settings: SettingDeclarations
  readonly metrics: () => MetricDefinitions
  readonly create: (platform: Platform, needs: Needs, settings: never, options: Options) => AreaParts<ContractArea, Api>
}

/** Areas with their types forgotten, so that they stand in one list. */
export type AnyArea = Area<string, never, never>

/**
 * Defines an area of the contract: `defineArea(notesArea)<{ documents: Documents }, NoteOptions>()({ … })`. The first
 * type names the areas whose `api` it needs, the second what the process gives it that no setting says.
 */
export const defineArea =
  <const D extends ContractArea>(description: D) =>
  <Needs extends object = Record<never, never>, Options = undefined>() =>
  <Api, Settings extends SettingDeclarations = Record<never, never>>(area: {
    readonly needs: readonly (keyof Needs & string)[]
    readonly migrations?: readonly Migration[]
    /** Every column of its tables that holds sealed values. */
    readonly sealed?: readonly SealedColumn[]
    /** Areas that do not have to stand before it, but whose tables its own refer to. */
    readonly references?: readonly string[]
    /** Its settings, which `create` gets bound: what is not declared here, no area reads. */
    readonly settings?: Settings
    /** What it tells of itself, by `platform.metrics.bind`. */
    readonly metrics?: () => MetricDefinitions
    create(
      platform: Platform,
      needs: Needs,
      settings: BoundDeclarations<NoInfer<Settings>>,
      options: Options,
    ): AreaParts<D, Api>
  }): Area<D['name'], Needs, Options, Api> => ({
    name: description.name,
    description,
    needs: area.needs,
    migrations: area.migrations ?? [],
    sealed: area.sealed ?? [],
    references: area.references ?? [],
    settings: area.settings ?? {},
    metrics: area.metrics ?? (() => ({})),
    create: area.create as never,
  })
