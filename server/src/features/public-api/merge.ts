/** Several answers at once, piece by piece as they come. */
import type { Part } from '../../providers/types.ts'

export interface ChoicePiece {
  readonly choice: number
  readonly parts: readonly Part[]
}

/** The first failure ends all of them; leaving early leaves all of them. */
export const mergePieces = (answers: readonly AsyncIterable<readonly Part[]>[]): AsyncIterableIterator<ChoicePiece> => {
  const [only] = answers
  return answers.length === 1 && only ? alone(only) : together(answers)
}

/** By hand: the usual case pays nothing for the other. */
const alone = (answer: AsyncIterable<readonly Part[]>): AsyncIterableIterator<ChoicePiece> => {
  const source = answer[Symbol.asyncIterator]()
  return {
    async next() {
      const step = await source.next()
      return step.done ? over : { value: { choice: 0, parts: step.value }, done: false }
    },
    async return() {
      await source.return?.()
      return over
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

const over = { value: undefined, done: true } as const

async function* together(answers: readonly AsyncIterable<readonly Part[]>[]): AsyncGenerator<ChoicePiece> {
  const sources = answers.map((answer) => answer[Symbol.asyncIterator]())
  const step = (choice: number) => sources[choice]!.next().then((result) => ({ choice, result }))
  const waiting = new Map(sources.map((_, choice) => [choice, step(choice)]))
  try {
    while (waiting.size > 0) {
      const { choice, result } = await Promise.race(waiting.values())
      if (result.done) {
        waiting.delete(choice)
        continue
      }
      waiting.set(choice, step(choice))
      yield { choice, parts: result.value }
    }
  } finally {
    for (const pending of waiting.values()) pending.catch(() => {})
    await Promise.all(sources.map(async (source) => source.return?.()))
  }
}
