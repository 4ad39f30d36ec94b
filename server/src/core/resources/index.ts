/**
 * What a kind of thing is to the rest of the product: one interface (`Resource`), and one registry that areas fill.
 * Sharing, search, trash, account data and support access are loops over it and know no kind by name. It holds nothing
 * itself.
 */
export { createResourceRegistry, type ResourceRegistry, type Resources } from './registry.ts'
export {
  type Countable,
  type ExportFiles,
  type Findable,
  type ListedResource,
  type MembershipRow,
  type PreparedTransfer,
  type TransferSides,
  type Transferable,
  type PlaceRow,
  type Resource,
  type ResourceOf,
  type ResourcesOf,
  type Shareable,
  type Storable,
  type StoredFile,
  type Trash,
  type Trashable,
  type TrashedResource,
  trashKeptMs,
} from './resource.ts'
export { asksOfChats, type FindHits, type HasWord, hasWords, type SearchHit, type SearchQuery } from './search.ts'
export { createTrashStore, storageSums, toStorageSums } from './store.ts'
export { createTrash } from './trash.ts'
