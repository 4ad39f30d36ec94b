/** Performs one operation against one address, counted and timed; every fault leaves as a ProviderFailure. */
import type { CallUnits } from '../metering.ts'
import { ProviderFailure } from '../types.ts'
import { performAnswer } from './answers.ts'
import type { AnswerFormat, FoundImages, Limits, TaskFormat } from './format.ts'
import { type FormatName, formats } from './formats/index.ts'
import { toPicture, toSound } from './found.ts'
import { figureIn, moderatedAnswer, type OperationCall } from './route.ts'
import { synthesizeSpeech } from './speech.ts'
import { performTask } from './tasks.ts'
import type { Images, OperationName, Operations, Picture } from './types.ts'

export { estimate, violatedLimit } from './bounds.ts'
export { joinAnswers, splitAsk } from './portions.ts'
export { withMissing } from './recordings.ts'
export { writeSubtitles } from './subtitles.ts'
export { type FormatName, type FormattedCapability, mostPerCall, mostSources, takesAvif } from './formats/index.ts'
export { charactersIn, type Config, figureIn, textIn } from './route.ts'
export type * from './types.ts'

const minute = 60_000
const megabyte = 1024 * 1024

/** What is usual for an operation, where its format says nothing else. */
const usual: Readonly<Record<'embedding' | 'image' | 'stt' | 'audio', Limits>> = {
  embedding: { timeoutMs: 2 * minute, maxBytes: 16 * megabyte },
  image: { timeoutMs: 5 * minute, maxBytes: 96 * megabyte, maxMembers: 10_000 },
  stt: { timeoutMs: 10 * minute, maxBytes: 16 * megabyte },
  audio: { timeoutMs: 5 * minute, maxBytes: 120 * megabyte },
}

type Performers = {
  [N in OperationName]: (
    call: OperationCall,
    format: FormatName<N>,
    ask: Operations[N]['ask'],
  ) => Promise<Operations[N]['answer']>
}

const performers: Performers = {
  embedding: (call, format, ask) =>
    counted(call, performAnswer(call, formats.embedding[format], ask, usual.embedding), ({ vectors }) => ({
      kind: 'inputs',
      input: ask.input.length,
      output: vectors.length,
    })),
  image: (call, format, ask) =>
    counted(call, draw(call, format, ask), ({ pictures }) => ({ kind: 'images', input: 0, output: pictures.length })),
  // Its sound comes after it was answered, and ends the count.
  tts: (call, format, ask) => synthesizeSpeech(call, formats.tts[format], ask),
  stt: (call, format, ask) =>
    counted(call, performAnswer(call, formats.stt[format], ask, usual.stt), () => ({
      kind: 'bytes',
      input: ask.audio.byteLength,
      output: 0,
    })),
  audio: (call, format, ask) =>
    counted(
      call,
      make(call, formats.audio[format], ask, usual.audio).then((found) => toSound(call, found)),
      ({ bytes }) => ({ kind: 'bytes', input: 0, output: bytes.byteLength }),
    ),
}

export const perform = <N extends OperationName>(
  name: N,
  call: OperationCall,
  format: FormatName<N>,
  ask: Operations[N]['ask'],
): Promise<Operations[N]['answer']> => performers[name](call, format, ask)

const make = <A, R>(
  call: OperationCall,
  format: { readonly answer: AnswerFormat<A, R> } | { readonly task: TaskFormat<A, R> },
  ask: A,
  limits: Limits,
): Promise<R> =>
  'answer' in format
    ? performAnswer(call, format.answer, ask, limits)
    : performTask(call, format.task, ask, {
        timeoutMs: figureIn(call.config, 'timeout_ms') ?? limits.timeoutMs,
        everyMs: figureIn(call.config, 'poll_interval_ms') ?? 1000,
      })

/** The pictures come as bytes, also where the provider answers with addresses of them. */
async function draw(
  call: OperationCall,
  format: FormatName<'image'>,
  ask: Operations['image']['ask'],
): Promise<Images> {
  const found: FoundImages = await make<Operations['image']['ask'], FoundImages>(
    call,
    formats.image[format],
    ask,
    usual.image,
  )
  const pictures: Picture[] = []
  const { inputTokens = null, outputTokens = null, withheld = 0 } = found
  const lost: ProviderFailure[] = Array.from({ length: withheld }, moderatedAnswer)
  for (const picture of found.pictures.slice(0, ask.count ?? 1)) {
    try {
      pictures.push(await toPicture(call, picture))
    } catch (error) {
      // What was made, and paid for, is not thrown away because another one cannot be read.
      if (!(error instanceof ProviderFailure) || error.kind === 'aborted') throw error
      lost.unshift(error)
    }
  }
  const [failure] = lost
  if (failure && pictures.length === 0) throw failure
  return { pictures, missing: failure ? { count: lost.length, failure } : null, inputTokens, outputTokens }
}

interface Told {
  readonly inputTokens: number | null
  readonly outputTokens?: number | null
}

async function counted<A extends Told>({ measure }: OperationCall, work: Promise<A>, units: (answer: A) => CallUnits) {
  try {
    const answer = await work
    measure.heard([{ type: 'usage', inputTokens: answer.inputTokens, outputTokens: answer.outputTokens ?? null }])
    measure.end('success', { units: units(answer) })
    return answer
  } catch (error) {
    measure.end(error instanceof ProviderFailure && error.kind === 'aborted' ? 'cancelled' : 'error', { error })
    throw error
  }
}
