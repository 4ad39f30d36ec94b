/** The search engines as data: the request of each, and where its results are in the answer. */
import type { Engine, JsonEngine } from '@atrium/contract/web-search'

export type TimeSpan = 'day' | 'week' | 'month' | 'year'
export type SearchTopic = 'news' | 'science' | 'it'

/** A path into JSON: names with dots between. */
type Path = string

export interface EngineForm {
  /** Where it is unless the administrator says otherwise; null: the administrator has to say. */
  readonly home: string | null
  /** Put behind an address that has no path of its own. */
  readonly path: string
  readonly method: 'GET' | 'POST'
  /** `html`: the answer is a page, read by `duckduckgo.ts`. */
  readonly answer: 'json' | 'html'
  readonly key: { readonly header: string; readonly prefix: string } | null
  readonly keyNeeded: boolean
  readonly words: string
  readonly count: string | null
  readonly fixed: Readonly<Record<string, unknown>>
  readonly span: { readonly name: string; readonly values: Readonly<Record<TimeSpan, string>> } | null
  readonly topic: { readonly name: string; readonly values: Readonly<Partial<Record<SearchTopic, string>>> } | null
  readonly safe: { readonly name: string; readonly on: unknown; readonly off: unknown } | null
  readonly results: Path
  readonly title: Path
  readonly url: Path
  /** The first that holds text. */
  readonly content: readonly Path[]
}

const plain = { path: '', answer: 'json', fixed: {}, span: null, topic: null, safe: null, title: 'title' } as const
const letters = { day: 'd', week: 'w', month: 'm', year: 'y' } as const
const words = { day: 'day', week: 'week', month: 'month', year: 'year' } as const

export const engineForms: Readonly<Record<Exclude<Engine, 'json'>, EngineForm>> = {
  searxng: {
    ...plain,
    home: null,
    path: '/search',
    method: 'GET',
    key: null,
    keyNeeded: false,
    words: 'q',
    count: null,
    fixed: { format: 'json' },
    span: { name: 'time_range', values: words },
    topic: { name: 'categories', values: { news: 'news', science: 'science', it: 'it' } },
    safe: { name: 'safesearch', on: 1, off: 0 },
    results: 'results',
    url: 'url',
    content: ['content'],
  },
  brave: {
    ...plain,
    home: 'https://api.search.brave.com/res/v1/web/search',
    method: 'GET',
    key: { header: 'X-Subscription-Token', prefix: '' },
    keyNeeded: true,
    words: 'q',
    count: 'count',
    fixed: { text_decorations: false },
    span: { name: 'freshness', values: { day: 'pd', week: 'pw', month: 'pm', year: 'py' } },
    safe: { name: 'safesearch', on: 'strict', off: 'off' },
    results: 'web.results',
    url: 'url',
    content: ['description'],
  },
  tavily: {
    ...plain,
    home: 'https://api.tavily.com/search',
    method: 'POST',
    key: { header: 'Authorization', prefix: 'Bearer ' },
    keyNeeded: true,
    words: 'query',
    count: 'max_results',
    span: { name: 'time_range', values: words },
    topic: { name: 'topic', values: { news: 'news' } },
    results: 'results',
    url: 'url',
    content: ['content'],
  },
  exa: {
    ...plain,
    home: 'https://api.exa.ai/search',
    method: 'POST',
    key: { header: 'x-api-key', prefix: '' },
    keyNeeded: true,
    words: 'query',
    count: 'numResults',
    fixed: { contents: { text: { maxCharacters: 1000 } } },
    topic: { name: 'category', values: { news: 'news', science: 'research paper' } },
    results: 'results',
    url: 'url',
    content: ['text', 'summary', 'highlights.0'],
  },
  serper: {
    ...plain,
    home: 'https://google.serper.dev/search',
    method: 'POST',
    key: { header: 'X-API-KEY', prefix: '' },
    keyNeeded: true,
    words: 'q',
    count: 'num',
    span: { name: 'tbs', values: { day: 'qdr:d', week: 'qdr:w', month: 'qdr:m', year: 'qdr:y' } },
    results: 'organic',
    url: 'link',
    content: ['snippet'],
  },
  duckduckgo: {
    ...plain,
    home: 'https://html.duckduckgo.com/html/',
    method: 'GET',
    answer: 'html',
    key: null,
    keyNeeded: false,
    words: 'q',
    count: null,
    span: { name: 'df', values: letters },
    safe: { name: 'kp', on: 1, off: -2 },
    results: '',
    url: '',
    content: [],
  },
}

/** The form of an engine of one's own. */
export const ownForm = (own: JsonEngine): EngineForm => ({
  ...plain,
  home: null,
  method: own.method,
  key: own.keyHeader === '' ? null : { header: own.keyHeader, prefix: own.keyPrefix },
  keyNeeded: own.keyHeader !== '',
  words: own.queryParameter,
  count: own.countParameter === '' ? null : own.countParameter,
  results: own.resultsPath,
  title: own.titlePath,
  url: own.urlPath,
  content: [own.contentPath],
})

export interface EngineQuestion {
  readonly words: string
  readonly span: TimeSpan | null
  readonly topic: SearchTopic | null
  readonly count: number
  readonly safe: boolean
}

export interface EngineRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>> | undefined
}

/** What is sent to an engine. `address`: the administrator's, or empty. Throws TypeError when there is none at all. */
export const requestOf = (
  form: EngineForm,
  address: string,
  key: string | null,
  { words: text, span, topic, count, safe }: EngineQuestion,
): EngineRequest => {
  const url = new URL(address === '' ? (form.home ?? '') : address)
  if (form.path !== '' && !url.pathname.endsWith(form.path)) url.pathname = url.pathname.replace(/\/+$/, '') + form.path
  const said: Record<string, unknown> = { ...form.fixed, [form.words]: text }
  if (form.count) said[form.count] = count
  if (span && form.span) said[form.span.name] = form.span.values[span]
  const topicWord = topic && form.topic?.values[topic]
  if (topicWord && form.topic) said[form.topic.name] = topicWord
  if (form.safe) said[form.safe.name] = safe ? form.safe.on : form.safe.off
  const headers: Record<string, string> = form.key && key ? { [form.key.header]: form.key.prefix + key } : {}
  if (form.method === 'POST') return { method: 'POST', url: url.href, headers, body: said }
  for (const [name, value] of Object.entries(said)) url.searchParams.set(name, String(value))
  return { method: 'GET', url: url.href, headers, body: undefined }
}

export interface EngineResult {
  readonly title: string
  readonly url: string
  readonly content: string
}

/** Takes the results out of an answer; what has no web address is left out. */
export const resultsOf = (form: EngineForm, answer: unknown): EngineResult[] => {
  const list = at(answer, form.results)
  if (!Array.isArray(list)) return []
  return list.slice(0, 100).flatMap((entry: unknown) => {
    const url = webAddress(at(entry, form.url))
    if (url === null) return []
    const content = form.content.map((path) => at(entry, path)).find((value) => typeof value === 'string') as string
    return [
      { title: plainText(at(entry, form.title), 200) || new URL(url).host, url, content: plainText(content, 500) },
    ]
  })
}

const at = (value: unknown, path: Path): unknown => {
  let here = value
  for (const name of path === '' ? [] : path.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined
    here = (here as Record<string, unknown>)[name]
  }
  return here
}

export const webAddress = (value: unknown): string | null => {
  if (typeof value !== 'string' || value.length > 2000) return null
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  url.hash = ''
  return url.href
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Engines mark words with tags; what is shown and sent on is text alone. */
export const plainText = (value: unknown, most: number): string => {
  if (typeof value !== 'string') return ''
  const text = value
    .slice(0, most * 8)
    .replace(/<[^<>]{0,200}>/g, '')
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{1,8}));/gi, (whole, decimal, hex, name: string | undefined) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal)
      return code > 0x1f && code < 0x110000 ? String.fromCodePoint(code) : ' '
    })
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text
}
