import type { Document } from '@atrium/contract/documents'
import type { DocumentsSearch, SortName } from '../search.ts'

export type Sort = NonNullable<DocumentsSearch['sort']>

export const nameOfSort = (sort: Sort): SortName => sort.replace('-', '') as SortName

/** The other way round when it is sorted by this already; names first go up, figures and times down. */
export function nextSort(now: Sort | undefined, name: SortName): Sort | undefined {
  const first: Sort = name === 'name' || name === 'type' ? name : `-${name}`
  const second: Sort = name === 'name' || name === 'type' ? `-${name}` : name
  return now === first ? second : now === second ? undefined : first
}

/** A copy in the order that is asked for; without one the order stays. */
export function sortDocuments(documents: readonly Document[], sort: Sort | undefined): readonly Document[] {
  if (!sort) return documents
  const compare = orders[nameOfSort(sort)]
  const turn = sort.startsWith('-') ? -1 : 1
  return [...documents].sort((a, b) => turn * compare(a, b) || a.id.localeCompare(b.id))
}

const words = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
const orders: Record<SortName, (a: Document, b: Document) => number> = {
  name: (a, b) => words.compare(a.filename, b.filename),
  type: (a, b) => a.fileType.localeCompare(b.fileType),
  size: (a, b) => a.size - b.size,
  pages: (a, b) => (a.parts ?? 0) - (b.parts ?? 0),
  updated: (a, b) => a.updatedAt.localeCompare(b.updatedAt),
}
