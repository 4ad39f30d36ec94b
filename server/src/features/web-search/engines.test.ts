import { JsonEngine } from '@atrium/contract/web-search'
import { describe, expect, test } from 'vitest'
import { engineForms, ownForm, plainText, requestOf, resultsOf, webAddress } from './engines.ts'
import { readPage } from './duckduckgo.ts'
import { mergeResults, onlyFrom } from './merge.ts'

const question = { words: 'kites & wind', span: 'week', topic: 'news', count: 6, safe: true } as const
const result = (url: string) => ({ title: url, url, content: '' })

describe('what an engine is asked', () => {
  test.each([
    [
      'searxng',
      'http://search.lan:8080',
      null,
      'http://search.lan:8080/search?format=json&q=kites+%26+wind&time_range=week&categories=news&safesearch=1',
    ],
    [
      'searxng',
      'http://search.lan/sx/',
      null,
      'http://search.lan/sx/search?format=json&q=kites+%26+wind&time_range=week&categories=news&safesearch=1',
    ],
    [
      'brave',
      '',
      'k',
      'https://api.search.brave.com/res/v1/web/search?text_decorations=false&q=kites+%26+wind&count=6&freshness=pw&safesearch=strict',
    ],
    ['duckduckgo', '', null, 'https://html.duckduckgo.com/html/?q=kites+%26+wind&df=w&kp=1'],
  ] as const)('%s at "%s" is asked by its address', (engine, address, key, url) => {
    expect(requestOf(engineForms[engine], address, key, question)).toMatchObject({
      method: 'GET',
      url,
      body: undefined,
    })
  })

  test.each([
    [
      'tavily',
      { authorization: 'Bearer k' },
      { query: 'kites & wind', max_results: 6, time_range: 'week', topic: 'news' },
    ],
    [
      'exa',
      { 'x-api-key': 'k' },
      { query: 'kites & wind', numResults: 6, category: 'news', contents: { text: { maxCharacters: 1000 } } },
    ],
    ['serper', { 'x-api-key': 'k' }, { q: 'kites & wind', num: 6, tbs: 'qdr:w' }],
  ] as const)('%s is asked by a body, with its key in a header', (engine, headers, body) => {
    const request = requestOf(engineForms[engine], '', 'k', question)
    expect(request).toMatchObject({ method: 'POST', url: engineForms[engine].home, body })
    expect(
      Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value])),
    ).toEqual(headers)
    expect(request.url).not.toContain('k=')
  })

  test('one of your own is asked as you say', () => {
    const own = JsonEngine.parse({
      method: 'POST',
      queryParameter: 'text',
      countParameter: 'n',
      keyHeader: 'X-Key',
      keyPrefix: 'Token ',
      resultsPath: 'data.hits',
      titlePath: 'doc.name',
      urlPath: 'doc.link',
      contentPath: 'doc.text',
    })
    expect(requestOf(ownForm(own), 'https://find.example/api', 'k', question)).toEqual({
      method: 'POST',
      url: 'https://find.example/api',
      headers: { 'X-Key': 'Token k' },
      body: { text: 'kites & wind', n: 6 },
    })
    const answer = { data: { hits: [{ doc: { name: 'One', link: 'https://one.example/', text: 'first' } }] } }
    expect(resultsOf(ownForm(own), answer)).toEqual([{ title: 'One', url: 'https://one.example/', content: 'first' }])
  })
})

describe('what an engine answers', () => {
  test('is read without tags, and without what has no web address', () => {
    const results = [
      {
        title: 'A <strong>kite</strong> &amp; more',
        url: 'https://a.example/x#part',
        description: 'It&#39;s <b>high</b>',
      },
      { title: '', url: 'http://b.example/', description: null },
      { title: 'bad', url: 'javascript:alert(1)', description: '' },
      { title: 'bad', url: 'https://user:pass@c.example/', description: '' },
      { title: 'bad' },
      'nonsense',
    ]
    expect(resultsOf(engineForms.brave, { web: { results } })).toEqual([
      { title: 'A kite & more', url: 'https://a.example/x', content: "It's high" },
      { title: 'b.example', url: 'http://b.example/', content: '' },
    ])
  })

  test.each([
    null,
    [],
    'x',
    { results: 'x' },
    { results: { length: 3 } },
    { __proto__: { results: [{ url: 'https://x.example/' }] } },
  ])('gives nothing where its form is another: %j', (answer) => {
    expect(resultsOf(engineForms.searxng, answer)).toEqual([])
  })

  test('is cut where it is long, and holds no control characters', () => {
    expect(plainText('x'.repeat(600), 500)).toHaveLength(500)
    expect(plainText('a\u0000b\r\n\tc&#0;&#x1b;d', 500)).toBe('a b c d')
    expect(plainText('<'.repeat(100_000), 500)).toHaveLength(500)
    expect(webAddress(`https://x.example/${'y'.repeat(3000)}`)).toBe(null)
  })

  test('is read from the page of DuckDuckGo, without its advertisements', () => {
    const page = `<div class="result result--ad"><a class="result__a" href="https://ad.example/">Buy</a></div>
      <div class="result"><a class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fkites.example%2Fhow&rut=1">How kites <b>fly</b></a>
      <a class="result__snippet">Kites fly &amp; fall</a></div>
      <div class="result"><a class="result__a" href="javascript:alert(1)">x</a></div>`
    expect(readPage(page)).toEqual([
      { title: 'How kites fly', url: 'https://kites.example/how', content: 'Kites fly & fall' },
    ])
    expect(readPage('<div class="anomaly-modal__title">Prove it</div>')).toBe(null)
    expect(readPage('')).toEqual([])
  })
})

describe('several lists', () => {
  test('become one in turns, with every page once', () => {
    const lists = [
      ['https://a.example/1', 'https://a.example/2'].map(result),
      ['https://www.a.example/1/', 'https://b.example/?utm_source=x', 'https://c.example/'].map(result),
      ['https://b.example/'].map(result),
    ]
    expect(mergeResults(lists, 10).map(({ url }) => url)).toEqual(
      [
        'https://a.example/1',
        'https://b.example/',
        'https://a.example/2',
        'https://b.example/?utm_source=x',
        'https://c.example/',
      ].filter((url) => !url.includes('utm')),
    )
    expect(mergeResults(lists, 2)).toHaveLength(2)
    expect(mergeResults([], 2)).toEqual([])
  })

  test('keep to the domains that are allowed', () => {
    const results = ['https://a.example/', 'https://sub.b.example/', 'https://notb.example/'].map(result)
    const hosts = (lists: { allowedDomains?: string[]; blockedDomains?: string[] }) =>
      onlyFrom(results, { allowedDomains: [], blockedDomains: [], ...lists }).map(({ url }) => new URL(url).host)
    expect(hosts({})).toHaveLength(3)
    expect(hosts({ allowedDomains: ['b.example'] })).toEqual(['sub.b.example'])
    expect(hosts({ blockedDomains: ['b.example'] })).toEqual(['a.example', 'notb.example'])
    expect(hosts({ allowedDomains: ['b.example'], blockedDomains: ['sub.b.example'] })).toEqual([])
  })
})
