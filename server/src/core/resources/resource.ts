/** A kind of thing as the rest of the product sees it: what it answers for sharing, search, trash, counts and export. */
import type { AreaDescription, ResourceTraits } from '@atrium/contract/description'
import type { ErrorCode } from '@atrium/contract/errors'
import type { ResourceType, Right } from '@atrium/contract/resources'
import type { RawBuilder } from 'kysely'
import type { ArchiveFile } from '../../platform/archive/write.ts'
import type { AnyTransaction } from '../../platform/db/types.ts'
import type { ResealKeys } from '../../platform/vault/reseal.ts'
import type { CursorKey } from '../../platform/db/cursor.ts'
import type { FindHits } from './search.ts'

/** One row per resource of a kind: its owner and what contains it. */
export interface PlaceRow {
  id: string
  owner_id: string
  /** What contains it now; readers of that may read this too. Only resources of the same owner count. */
  within_id: string | null
  /** 0: it is there for its owner alone, as in the trash. */
  shown: 0 | 1
}

/** One row per member of a resource that has members: what each may do with it. */
export interface MembershipRow {
  id: string
  account_id: string
  access_right: Right | 'owner'
}

/** A thing in a list of names. */
export interface ListedResource {
  readonly id: string
  readonly name: string
  /** Integer milliseconds. */
  readonly updatedAt: number
}

/** A kind that others can be given a right to. */
export interface Shareable {
  /** What is answered where there is no such thing, or none for the caller. */
  readonly missing: ErrorCode
  /** SQL for the places of all resources of this kind, without decrypting anything; permission queries are built from it. */
  readonly places: RawBuilder<PlaceRow>
  /**
   * SQL for the memberships of all resources of this kind: then nobody else has a right to one, by no grant and by no
   * support access, and `owner_id` of its place names no account.
   */
  readonly members?: RawBuilder<MembershipRow>
  /** SQL for who may read single ones of these besides, as a guest of an event may. */
  readonly guests?: RawBuilder<{ id: string; account_id: string }>
  /** The kind of thing that one of these can lie in. */
  readonly within: ResourceType | null
  /** Whose these things are and what they are called; ids that do not exist or are in the trash are absent. */
  describe(ids: readonly string[]): Promise<ReadonlyMap<string, { readonly accountId: string; readonly name: string }>>
  /** Something about who may read this thing changed, for these accounts. */
  changed(resourceId: string, accountIds: readonly string[]): Promise<void>
  /** An account's resources of this kind, without the trash, for support access. Refuses with `bad_cursor`. */
  list(
    accountId: string,
    limit: number,
    cursor: string | undefined,
  ): Promise<{ readonly items: readonly ListedResource[]; readonly nextCursor: string | null }>
}

/** A kind that the search over everything finds. */
export interface Findable {
  /** Kinds that one query finds together share one function; it is asked once for all of them. */
  readonly search: FindHits
  /** Whether something of the account is still to be taken into the index; absent where that cannot be. */
  readonly isIndexing?: (accountId: string) => Promise<boolean>
}

/** How long deleted things wait in the trash. */
export const trashKeptMs = 30 * 24 * 60 * 60_000

/** A thing in the trash. */
export interface TrashedResource {
  readonly id: string
  /** Its name; of a message its first words. */
  readonly title: string
  /** The chat that it belongs to. */
  readonly chatId: string | null
  /** Integer milliseconds. */
  readonly deletedAt: number
}

/** The deleted things of a kind. */
export interface Trash {
  /** Those of an account, newest first, from after a place on; of the same time, the highest id first. */
  list(accountId: string, limit: number, after: CursorKey | null): Promise<readonly TrashedResource[]>
  /**
   * Brings one back; false: the account has none of this id in the trash. Refuses with `conflict` where it cannot be put
   * back now.
   */
  restore(accountId: string, id: string): Promise<boolean>
  /** Deletes one for good; false: the account has none of this id in the trash. */
  remove(accountId: string, id: string): Promise<boolean>
  /** Deletes for good what was deleted before this time, of all accounts. */
  removeExpired(before: number, signal: AbortSignal): Promise<void>
}

/** A kind whose deleted things wait in the trash. */
export interface Trashable {
  readonly trash: Trash
}

/** A kind whose number an account is told before it is removed. */
export interface Countable {
  count(accountId: string): Promise<number>
}

/** Something that an account keeps in a file. */
export interface StoredFile {
  /** Of the thing: what its routes go by. */
  readonly id: string
  readonly name: string
  readonly bytes: number
  /** The chat that it is in. */
  readonly chatId: string | null
  readonly trashed: boolean
}

/** A kind that keeps files. */
export interface Storable {
  readonly storage: {
    sum(accountId: string): Promise<{ readonly count: number; readonly bytes: number; readonly trashedBytes: number }>
    /** The largest first. */
    largest(accountId: string, limit: number): Promise<readonly StoredFile[]>
  }
}

/** Whose a thing is, and whose it is going to be, with the keys of both. */
export interface TransferSides extends ResealKeys {
  readonly fromId: string
  readonly toId: string
}

/** A transfer that is ready for the transaction that does it. */
export interface PreparedTransfer {
  /**
   * Makes the thing the new owner's. Refuses with `conflict` where it was changed since it was prepared or is being worked
   * on, and with what says that the new owner has no room for one more. Gives the things that moved with it, itself too.
   */
  commit(trx: AnyTransaction): Promise<readonly { readonly type: ResourceType; readonly id: string }[]>
  /** After it: what open pages and indexes are told. */
  done(): Promise<void>
  /** It is not done: what was made for it goes. */
  discard(): Promise<void>
}

/** A kind whose things can get another owner, who gets of each what its readers see. */
export interface Transferable {
  readonly transfer: {
    /** What it takes of the room of its account. */
    bytes(id: string): Promise<number>
    /** Does what takes long, outside of the transaction. */
    prepare(id: string, sides: TransferSides): Promise<PreparedTransfer>
    /**
     * Seals with the new key what is still sealed with the former: what was left for later, and what requests wrote that
     * were under way. It may be called again. null: nothing can be.
     */
    readonly finish: ((id: string, sides: TransferSides) => Promise<void>) | null
  }
}

/** A kind whose things stay with their owner. */
export interface Untransferable {
  readonly transfer: { readonly never: string }
}

/** What an account takes along in its archive. Only what is the account's own, and no secret. */
export type ExportFiles = (accountId: string, signal: AbortSignal) => AsyncIterable<ArchiveFile>

/** What every kind answers, whatever can be done with its things. */
interface Owned {
  /** null: it is in the files of another kind. */
  readonly export: ExportFiles | null
  /** Removes all that an account has of this kind; may be called again after a crash. null: it goes with another kind. */
  readonly removeAccount: ((accountId: string) => Promise<void>) | null
  /** Things of this kind that lie in one that gets another owner, and stay with theirs: they lie in it no longer. */
  readonly detach?: (trx: AnyTransaction, type: ResourceType, id: string) => Promise<void>
}

/** A kind of thing. What it has beside its export and its removal follows from its traits in the contract. */
export type Resource = Partial<
  Owned & Shareable & Findable & Trashable & Storable & Countable & (Transferable | Untransferable)
>

/** What a kind with these traits has to answer. */
export type ResourceOf<T extends ResourceTraits> = Owned &
  (T extends { readonly shared: true } ? Shareable : unknown) &
  (T extends { readonly found: true } ? Findable : unknown) &
  (T extends { readonly trashed: true } ? Trashable : unknown) &
  (T extends { readonly stored: true } ? Storable : unknown) &
  (T extends { readonly counted: string } ? Countable : unknown) &
  (T extends { readonly transferable: true } ? Transferable : Untransferable)

/** What an area has to answer: for each kind of its description. A missing kind does not compile. */
export type ResourcesOf<D extends AreaDescription> = {
  readonly [K in keyof D['resources'] & string]: ResourceOf<NonNullable<D['resources']>[K]>
}
