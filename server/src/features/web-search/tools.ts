/** What models may do with the web: search it, and read a page of it. */
import { z } from 'zod'
import type { WebResults } from '../../core/generation/index.ts'
import { nameLine, textWindow } from '../../platform/areas/tool-text.ts'
import { type Tool, type ToolOutput, defineTool } from '../../platform/areas/tool.ts'
import { type Outbound, OutboundFailure } from '../../platform/outbound/types.ts'
import type { EngineConfig } from './config.ts'
import { onlyFrom } from './merge.ts'
import { type PageFailure, type ReadPage, readPage } from './read-page.ts'

export interface WebToolDeps {
  /** The way to pages: public places only. */
  readonly elsewhere: Pick<Outbound, 'check' | 'request'>
  readonly config: () => Promise<EngineConfig>
  /** `role`: of an active account, where it is known. */
  readonly allows: (accountId: string, role?: 'admin' | 'user') => Promise<boolean>
  /** Searches for these words as they are; `most`: of its pages. */
  readonly find: (words: string, most: number, signal: AbortSignal) => Promise<WebResults>
}

/** Characters of a page that one call gives. */
const windowLength = 16_000
/** Of the passage by which an answer cites a page. */
const citedLength = 300
const pageMs = 20_000

export const webTools = (deps: WebToolDeps): Tool[] => [
  defineTool({
    name: 'web_search',
    description:
      'Searches the web and returns passages of the pages found, with their addresses. Use it for recent events, for facts that you are not sure of, and when the user asks you to look something up. Search for a few specific words, in the language that good sources are written in.',
    arguments: z.strictObject({
      query: z.string().trim().min(1).max(400).describe('What to search for'),
      max_results: z.number().int().min(1).max(10).optional().describe('Pages to consider at most (default 6)'),
    }),
    sideEffect: false,
    readsPrivateData: false,
    readsForeignText: true,
    sendsData: true,
    findsAddresses: true,
    isAvailable: deps.allows,
    async run({ query, max_results: most = 6 }, { accountId, signal }) {
      if (!(await deps.allows(accountId))) return failed('Web search is not available to this account.')
      const { items, notes } = await deps.find(query, most, signal)
      if (items.length > 0) {
        const isPartial = notes.some(({ code }) => code === 'web_partial')
        return {
          text: `Passages from the web for “${query}”:${isPartial ? ' (some pages could not be read)' : ''}`,
          sources: items.map(({ source }) => source),
        }
      }
      const isDown = notes.some(({ code }) => code === 'web_failed')
      return isDown
        ? failed('The search engine did not answer. Answer from what you know, and say that you could not search.')
        : { text: `The web was searched for “${query}”, and nothing was found. Try other words.` }
    },
  }),
  defineTool({
    name: 'fetch_page',
    description: `Reads a public web page, a PDF or a text file at an address, and returns its text, ${windowLength} characters at a time. Use it for an address that the user gave, or that a search found. To read on, call it again with the offset that it tells you.`,
    arguments: z.strictObject({
      url: z.string().trim().min(1).max(2000).describe('The whole address, with https://'),
      offset: z.number().int().min(0).max(10_000_000).optional().describe('From which character on (default 0)'),
    }),
    sideEffect: false,
    readsPrivateData: false,
    readsForeignText: true,
    sendsData: true,
    addressesOf: ({ url }) => [url],
    timeoutMs: 2 * pageMs,
    async run({ url, offset = 0 }, { signal }) {
      const lists = await deps.config()
      if (!isOn(url, lists)) return failed('An administrator has blocked this site.')
      const page = await readPage(deps.elsewhere, url, {
        accept: 'text/html,application/xhtml+xml,application/pdf,text/*;q=0.9,application/json;q=0.8,*/*;q=0.1',
        nameOf,
        timeoutMs: pageMs,
        signal,
      }).catch((error: unknown) => {
        if (!(error instanceof OutboundFailure) || signal.aborted) throw error
        return { failure: error.kind }
      })
      if ('failure' in page) return failed(wordsOf(page))
      if (!isOn(page.url, lists)) return failed('The page redirects to a site that an administrator has blocked.')
      return windowOf(page, offset)
    },
  }),
]

const failed = (text: string): ToolOutput => ({ text, isError: true })

/** Whether the lists of the administrator let a page be opened. What is no address is refused by the gate. */
const isOn = (url: string, lists: Pick<EngineConfig, 'allowedDomains' | 'blockedDomains'>): boolean =>
  !URL.canParse(url) || onlyFrom([{ url, title: '', content: '' }], lists).length > 0

const names: ReadonlyMap<string, string> = new Map([
  ['text/html', 'page.html'],
  ['application/xhtml+xml', 'page.html'],
  ['text/markdown', 'page.md'],
  ['text/csv', 'page.csv'],
  ['application/pdf', 'page.pdf'],
  ['application/json', 'page.json'],
])

/** By what name a type is read; undefined: it is neither a page nor text. */
const nameOf = (mediaType: string): string | undefined =>
  names.get(mediaType) ??
  (mediaType.endsWith('+json') ? 'page.json' : undefined) ??
  (/^text\/|[/+]xml$/.test(mediaType) ? 'page.txt' : undefined)

const wordsOf = (page: PageFailure | { readonly failure: OutboundFailure['kind'] }): string => {
  if (page.failure === 'status') return `The page’s server answered with ${page.status}.`
  return reasons[page.failure] ?? 'The page’s server couldn’t be reached.'
}

const reasons: Readonly<Partial<Record<string, string>>> = {
  unsupported: 'This address returns neither a web page nor text.',
  unreadable: 'The page has no text that can be read.',
  'too-large': 'The page is larger than 2 MB.',
  timeout: 'The page took too long to load.',
  redirected: 'The address redirects too many times.',
  reset: 'The page’s server stopped before the page was complete.',
}

const windowOf = ({ url, title, text }: ReadPage, offset: number): ToolOutput => {
  const name = nameLine(title ?? '') || url
  const window = textWindow(text, offset, windowLength, (next) => `call fetch_page with offset ${next}`)
  if (!window) return failed(`The page has ${text.length} characters; choose an offset below that.`)
  const passage = window.part.slice(0, citedLength)
  return {
    text: `${name}\n${url}\n${window.words}\n\n${window.part}`,
    sources: [{ kind: 'web', url, name, section: null, passage, score: 1, foundBy: 'beginning' }],
  }
}
