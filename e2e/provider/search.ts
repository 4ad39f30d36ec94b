/** A search engine in the format of SearXNG: results that hold the words that were asked for, always the same. */
import type { ServerResponse } from 'node:http'
import { json } from './writing.ts'

/** Answers `GET /search?format=json`; false for everything else. */
export function searchEngine(method: string, url: URL, res: ServerResponse): false | void {
  if (method !== 'GET' || url.pathname !== '/search') return false
  const words = url.searchParams.get('q') ?? ''
  if (url.searchParams.get('format') !== 'json') return void res.writeHead(403).end('JSON is switched off')
  const results = [1, 2, 3].map((place) => ({
    title: `Result ${place} on ${words.slice(0, 40)}`,
    // Names under `.invalid` lead nowhere, for everybody.
    url: `https://pages.invalid/${place}`,
    content: `Number ${place}: ${words}. The highest kite stood at ${4000 + place} metres.`,
    engine: 'trial',
  }))
  json(res, 200, { query: words, number_of_results: results.length, results, unresponsive_engines: [] })
}
