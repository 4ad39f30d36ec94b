import type { Retrieval, Source } from '@atrium/contract/generation'
import { describe, expect, it } from 'vitest'
import { translate } from 'virtual:words/chat-sources'
import 'virtual:words/chat'
import english from './locales/en.json' with { type: 'json' }
import { addressOf, placeOf, titleOf } from './place.ts'
import { noteWords, retrievalSentences } from './retrieval-sentences.ts'

const t = (key: string, values?: Record<string, unknown>) => translate(`chat-sources:${key}`, values)
const source: Source = { name: 'Handbook.pdf', section: null, passage: 'Kites fly.', score: 1 }
const retrieval: Retrieval = {
  mode: 'hybrid',
  query: 'kites',
  documents: 42,
  excerpts: 6,
  tokens: 3100,
  nothingMatched: false,
  asked: true,
  nearest: [],
  notes: [],
}

describe('a source', () => {
  it('says where it stands in words', () => {
    expect(titleOf({ ...source, location: { kind: 'page', label: 'Page 3', number: 3 } })).toBe('Handbook.pdf, Page 3')
    expect(placeOf({ ...source, location: { kind: 'sheet', label: 'March', number: 2 } })).toBe('March')
    expect(placeOf({ ...source, section: 'Wind' })).toBe('Wind')
    expect(placeOf({ ...source, url: 'https://kites.example/records' })).toBe('kites.example')
    expect(placeOf(source)).toBeNull()
  })

  it('leads to its passage, to its file, or to the web and nowhere else', () => {
    expect(addressOf({ ...source, documentId: 'd1', startChar: 4, endChar: 90 })).toBe('/documents/d1?from=4&to=90')
    expect(addressOf({ ...source, attachmentId: 'a1' })).toContain('a1')
    expect(addressOf({ ...source, url: 'https://kites.example/' })).toBe('https://kites.example/')
    for (const url of ['javascript:alert(1)', 'data:text/html,x', '//kites.example', 'file:///x'])
      expect(addressOf({ ...source, url }), url).toBeNull()
  })
})

describe('what was done for an answer', () => {
  it('is said in one sentence with its figures', () => {
    expect(retrievalSentences(retrieval, t)).toEqual([
      'Keyword and semantic search over 42 documents, 6 excerpts used, 3,100 tokens.',
      'Searched for “kites”.',
    ])
    expect(retrievalSentences({ ...retrieval, mode: 'full', documents: 1, tokens: 800 }, t)).toEqual([
      '1 document sent in full, 800 tokens.',
    ])
    const web = { queries: ['kite record'], results: 6, pages: 4 }
    expect(retrievalSentences({ ...retrieval, mode: 'none', web }, t)).toEqual([
      'Searched the web for “kite record”: 6 pages found, 4 read.',
    ])
  })

  it('names both figures where whole documents were too much, and has words for every note', () => {
    expect(noteWords({ code: 'full_too_large', count: 48_210, limit: 32_000 }, t)).toBe(
      'The documents have 48,210 tokens, more than the limit of 32,000, so excerpts were used.',
    )
    for (const code of Object.keys(english.note) as Retrieval['notes'][number]['code'][])
      for (const count of [undefined, 1, 7]) {
        const note = count === undefined ? { code } : { code, count }
        expect(noteWords(note, t), code).toMatch(/^[A-Z17].* .*\.$/)
      }
  })
})
