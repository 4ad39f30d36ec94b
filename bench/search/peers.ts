/** Others that find texts by words, as they come: each gives the ids of the best thousand. */
import { create, insertMultiple, search } from '@orama/orama'
import Sqlite from 'better-sqlite3'
import MiniSearch from 'minisearch'
import type { Judged } from './collections.ts'

type Find = (question: string) => readonly string[] | Promise<readonly string[]>

export const peers: readonly { readonly name: string; open(collection: Judged): Promise<Find> }[] = [
  { name: 'FTS5, unicode61', open: async ({ texts }) => fts5(texts, 'unicode61') },
  { name: 'FTS5, porter', open: async ({ texts }) => fts5(texts, 'porter unicode61') },
  {
    name: 'MiniSearch',
    open: async ({ texts }) => {
      const index = new MiniSearch({ fields: ['text'] })
      index.addAll(texts)
      return (question) => index.search(question).map(({ id }) => String(id))
    },
  },
  {
    name: 'Orama',
    open: async ({ texts, language }) => {
      const index = create({ schema: { text: 'string' }, language })
      await insertMultiple(index, [...texts], 5000)
      return async (question) => {
        const { hits } = await search(index, { term: question, limit: 1000 })
        return hits.map(({ id }) => id)
      }
    },
  },
]

const fts5 = (texts: Judged['texts'], tokenizer: string): Find => {
  const database = new Sqlite(':memory:')
  database.exec(`create virtual table texts using fts5 (text, tokenize = '${tokenizer}')`)
  const insert = database.prepare('insert into texts (rowid, text) values (?, ?)')
  texts.forEach(({ text }, at) => insert.run(at, text))
  const select = database.prepare('select rowid as at from texts where texts match ? order by rank limit 1000')
  return (question) => {
    const words = new Set(question.match(/[\p{L}\p{N}]+/gu) ?? [])
    const rows = select.all([...words].map((word) => `"${word}"`).join(' OR ')) as { at: number }[]
    return rows.map(({ at }) => texts[at]?.id ?? '')
  }
}
