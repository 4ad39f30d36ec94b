/** One thing that is asked, in as many calls as a provider takes it in. Pure. */
import { cutRecording, joinTranscriptions } from './recordings.ts'
import { type Config, figureIn } from './route.ts'
import type { MissingPictures, OperationName, Operations } from './types.ts'

/** Some providers take no more in one call, and the answer is of a size that can be read in one piece. */
const textsPerCall = 96

type Portions = {
  [N in OperationName]: {
    split: (ask: Operations[N]['ask'], config: Config, most: number | null) => Operations[N]['ask'][]
    join: (
      answers: readonly [Operations[N]['answer'], ...Operations[N]['answer'][]],
      asks: readonly Operations[N]['ask'][],
    ) => Operations[N]['answer']
  }
}

const portions: Portions = {
  embedding: {
    split: (ask) =>
      Array.from({ length: Math.ceil(ask.input.length / textsPerCall) }, (_, at) => ({
        ...ask,
        input: ask.input.slice(at * textsPerCall, (at + 1) * textsPerCall),
      })),
    join: (answers) => ({
      vectors: answers.flatMap(({ vectors }) => vectors),
      inputTokens: sum(answers.map(({ inputTokens }) => inputTokens)),
    }),
  },
  image: {
    split(ask, config, mostOfFormat) {
      const most = config['supports_n'] === false ? 1 : (mostOfFormat ?? figureIn(config, 'max_n') ?? 10)
      const wanted = ask.count ?? 1
      return Array.from({ length: Math.ceil(wanted / most) }, (_, at) => ({
        ...ask,
        count: Math.min(most, wanted - at * most),
      }))
    },
    join: (answers) => ({
      pictures: answers.flatMap(({ pictures }) => pictures),
      missing: sumMissing(answers.flatMap(({ missing }) => missing ?? [])),
      inputTokens: sum(answers.map(({ inputTokens }) => inputTokens)),
      outputTokens: sum(answers.map(({ outputTokens }) => outputTokens)),
    }),
  },
  tts: { split: (ask) => [ask], join: ([answer]) => answer },
  stt: { split: cutRecording, join: joinTranscriptions },
  audio: { split: (ask) => [ask], join: ([answer]) => answer },
}

/** `most`: what one call gives in the format, where it does not do as many as the definition says. */
export const splitAsk = <N extends OperationName>(
  name: N,
  ask: Operations[N]['ask'],
  config: Config,
  most: number | null,
) => portions[name].split(ask, config, most)

/** The answers to all portions as one, in their order; `asks` are the portions. */
export function joinAnswers<N extends OperationName>(
  name: N,
  [first, ...others]: readonly Operations[N]['answer'][],
  asks: readonly Operations[N]['ask'][],
): Operations[N]['answer'] {
  if (first === undefined) throw new Error('nothing was asked')
  return portions[name].join([first, ...others], asks)
}

/** null where nobody counted. */
const sum = (figures: readonly (number | null)[]): number | null => {
  const counted = figures.filter((figure) => figure !== null)
  return counted.length === 0 ? null : counted.reduce((total, figure) => total + figure, 0)
}

const sumMissing = ([first, ...others]: readonly MissingPictures[]): MissingPictures | null =>
  first === undefined ? null : { ...first, count: others.reduce((total, { count }) => total + count, first.count) }
