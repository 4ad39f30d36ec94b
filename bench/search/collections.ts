/** Judged collections: texts, questions, and which texts answer which question. They are no part of the project. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Judged {
  readonly name: string
  readonly language: 'english' | 'german'
  readonly texts: readonly { readonly id: string; readonly text: string }[]
  readonly questions: readonly {
    readonly text: string
    /** How well texts answer it; those not named do not. */
    readonly answers: ReadonlyMap<string, number>
  }[]
}

/** Where they are: folders with docs.jsonl, queries.jsonl and qrels.tsv. */
export const folder =
  process.env['SEARCH_COLLECTIONS'] ?? fileURLToPath(new URL('../../../shared/data/ir/', import.meta.url))

/** Empty when they are not there. */
export const readCollections = (): Judged[] =>
  (['cacm', 'xquad-en', 'xquad-de'] as const)
    .filter((name) => existsSync(join(folder, name)))
    .map((name) => {
      const lines = (file: string) =>
        readFileSync(join(folder, name, file), 'utf8')
          .trim()
          .split('\n')
      const parsed = <T>(file: string) => lines(file).map((line) => JSON.parse(line) as T)
      const answers = new Map<string, Map<string, number>>()
      for (const line of lines('qrels.tsv').slice(1)) {
        const [question = '', text = '', worth] = line.split('\t')
        answers.set(question, (answers.get(question) ?? new Map<string, number>()).set(text, Number(worth)))
      }
      return {
        name,
        language: name.endsWith('-de') ? 'german' : 'english',
        texts: parsed<{ id: string; title: string; text: string }>('docs.jsonl').map(({ id, title, text }) => ({
          id,
          text: title === '' ? text : `${title}\n${text}`,
        })),
        questions: parsed<{ id: string; text: string }>('queries.jsonl').flatMap(({ id, text }) => {
          const known = answers.get(id)
          return known ? [{ text, answers: known }] : []
        }),
      }
    })

export interface Quality {
  readonly ndcg: number
  readonly map: number
  readonly recall: number
}

/** Means over the questions: nDCG of the first ten, average precision of the first thousand, recall of the first hundred. */
export const judge = async (
  { questions }: Judged,
  find: (question: string) => Promise<readonly string[]> | readonly string[],
): Promise<Quality> => {
  const sum = { ndcg: 0, map: 0, recall: 0 }
  for (const { text, answers } of questions) {
    const found = (await find(text)).slice(0, 1000)
    const worth = (id: string) => answers.get(id) ?? 0
    const gain = (worths: readonly number[]) =>
      worths.slice(0, 10).reduce((total, one, at) => total + (2 ** one - 1) / Math.log2(at + 2), 0)
    const ideal = gain([...answers.values()].sort((a, b) => b - a))
    sum.ndcg += ideal === 0 ? 0 : gain(found.map(worth)) / ideal
    let right = 0
    let precision = 0
    found.forEach((id, at) => {
      if (worth(id) > 0) precision += ++right / (at + 1)
    })
    const all = [...answers.values()].filter((one) => one > 0).length
    sum.map += precision / all
    sum.recall += found.slice(0, 100).filter((id) => worth(id) > 0).length / all
  }
  const mean = (total: number) => total / questions.length
  return { ndcg: mean(sum.ndcg), map: mean(sum.map), recall: mean(sum.recall) }
}
