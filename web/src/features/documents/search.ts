/** What the page of documents shows, as its address says it. */
import { givenText } from '../../lib/given-text.ts'

export const views = ['library', 'chats', 'shared'] as const
export const statuses = ['queued', 'processing', 'completed', 'failed'] as const
export const sortNames = ['name', 'type', 'size', 'pages', 'updated'] as const
export type SortName = (typeof sortNames)[number]

export interface DocumentsSearch {
  /** One part of all documents; everything where nothing is said. */
  in?: (typeof views)[number] | undefined
  collection?: string | undefined
  status?: (typeof statuses)[number] | undefined
  q?: string | undefined
  /** Newest first where nothing is said; a `-` in front turns the order round. */
  sort?: SortName | `-${SortName}` | undefined
}

/** Reads what an address holds; what it cannot mean is left out. */
export function readSearch(search: Record<string, unknown>): DocumentsSearch {
  const sorts = sortNames.flatMap((name) => [name, `-${name}`] as const)
  return {
    in: views.find((view) => view === search.in),
    collection: givenText(search.collection),
    status: statuses.find((status) => status === search.status),
    q: givenText(search.q)?.slice(0, 200),
    sort: sorts.find((sort) => sort === search.sort),
  }
}

export interface PassageSearch {
  from?: number | undefined
  to?: number | undefined
  page?: number | undefined
  /** The stretches of the passage that matter most: `120-180.240-300`. */
  keys?: string | undefined
}

/** The passage in a link to a document. */
export function readPassage({ from, to, page, keys }: Record<string, unknown>): PassageSearch {
  const known = typeof keys === 'string' && /^\d+-\d+(\.\d+-\d+){0,9}$/.test(keys)
  return { from: countOf(from), to: countOf(to), page: countOf(page), keys: known ? keys : undefined }
}

/** `120-180.240-300` as ranges. */
export function rangesOf(keys: string | undefined): { start: number; end: number }[] | undefined {
  return keys?.split('.').map((key) => {
    const [start = 0, end = 0] = key.split('-').map(Number)
    return { start, end }
  })
}

const countOf = (value: unknown): number | undefined => {
  const count = Number(value)
  return value !== undefined && value !== '' && Number.isInteger(count) && count >= 0 ? count : undefined
}
