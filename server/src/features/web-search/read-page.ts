/** One page of the web as text: fetched through the gate, and read in a process that can be killed. */
import { readFile } from '../../platform/formats/index.ts'
import { fetchPage } from '../../platform/outbound/fetch-page.ts'
import type { Outbound } from '../../platform/outbound/types.ts'

const largestPage = 2 * 1024 * 1024

export interface ReadPage {
  /** Where it came from in the end. */
  readonly url: string
  /** As it calls itself. */
  readonly title: string | null
  readonly text: string
}

export type PageFailure =
  | { readonly failure: 'status'; readonly status: number }
  | { readonly failure: 'unsupported' | 'unreadable' }

/**
 * `names` says which types are read, and by what name each is known. Throws Refusal `url_not_allowed`, OutboundFailure,
 * and WorkFailure `aborted`.
 */
export const readPage = async (
  elsewhere: Pick<Outbound, 'check' | 'request'>,
  address: string,
  {
    accept,
    nameOf,
    ...limits
  }: {
    readonly accept: string
    readonly nameOf: (mediaType: string) => string | undefined
    readonly timeoutMs: number
    readonly signal: AbortSignal
  },
): Promise<ReadPage | PageFailure> => {
  const { status, url, mediaType, bytes } = await fetchPage(elsewhere, address, {
    accept,
    maxBytes: largestPage,
    ...limits,
  })
  if (status !== 200) return { failure: 'status', status }
  const name = nameOf(mediaType.split(';')[0]?.trim().toLowerCase() ?? '')
  if (name === undefined) return { failure: 'unsupported' }
  const read = await readFile({ bytes, name, mediaType }, limits)
  if ('failure' in read) return { failure: 'unreadable' }
  return { url, title: read.extract.title, text: read.extract.text }
}
