/** Text read aloud: the sound is handed on as it comes. */
import { translate } from '../exchange.ts'
import { stoppedFailure } from '../faults.ts'
import { startIdleTimeout } from '../idle-timeout.ts'
import { ProviderFailure } from '../types.ts'
import { askWhole, openAnswer } from './ask.ts'
import type { SpeechFormat } from './format.ts'
import { aboutOf, charactersIn, type OperationCall, textIn } from './route.ts'
import type { Speech, SpeechAsk } from './types.ts'

const firstByteMs = 2 * 60_000
const idleMs = 60_000
const maxBytes = 128 * 1024 * 1024

const types: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
}

/** Ends its measure itself, when the sound has ended or was left. */
export async function synthesizeSpeech(call: OperationCall, speech: SpeechFormat, ask: SpeechAsk): Promise<Speech> {
  const { config, signal, measure } = call
  const characters = charactersIn(ask.text)
  const watch = startIdleTimeout({ signal, firstTokenMs: firstByteMs, idleMs })
  const failed = (error: unknown): unknown => {
    watch.stop()
    const failure = signal.aborted
      ? stoppedFailure()
      : (watch.late() ?? translate(error, undefined, measure.answering()))
    measure.end(failure instanceof ProviderFailure && failure.kind === 'aborted' ? 'cancelled' : 'error', {
      error: failure,
    })
    return failure
  }
  try {
    const said = speech.say(ask, aboutOf(call))
    const { read } = speech
    if (read) {
      const whole = read(await askWhole(call, said, { timeoutMs: firstByteMs, maxBytes }))
      const body = sound(wholly(whole.bytes), { watch, failed, measure, characters })
      return { mediaType: whole.mediaType, format: whole.format, body }
    }
    const response = await openAnswer(call, said, { timeoutMs: watch.longestMs, maxBytes, signal: watch.signal })
    const told = response.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
    if (!/^$|^audio\/|octet-stream$/.test(told)) {
      response.discard()
      throw new ProviderFailure('malformed', 'The provider answered with something other than sound.')
    }
    const format = ask.format ?? textIn(config, 'default_format') ?? 'mp3'
    const mediaType = told.startsWith('audio/') ? told : (types[format] ?? 'application/octet-stream')
    return { mediaType, format, body: sound(response, { watch, failed, measure, characters }) }
  } catch (error) {
    throw failed(error)
  }
}

const wholly = (bytes: Uint8Array) => ({
  body: (async function* () {
    yield bytes
  })(),
  discard() {},
})

interface Sounding {
  readonly watch: ReturnType<typeof startIdleTimeout>
  readonly failed: (error: unknown) => unknown
  readonly measure: OperationCall['measure']
  readonly characters: number
}

/** An iterator rather than a generator: one that is left before it began has to end its call as well. */
function sound(
  response: { readonly body: AsyncIterable<Uint8Array>; discard(): void },
  { watch, failed, measure, characters }: Sounding,
): AsyncIterableIterator<Uint8Array> {
  const chunks = response.body[Symbol.asyncIterator]()
  const units = { kind: 'characters', input: characters, output: 0 } as const
  let bytes = 0
  let over = false
  return {
    async next() {
      if (over) return { value: undefined, done: true }
      try {
        const chunk = await chunks.next()
        if (!chunk.done) {
          bytes += chunk.value.byteLength
          watch.heard(true, chunk.value.byteLength)
          measure.heard([])
          return chunk
        }
        if (bytes === 0) throw new ProviderFailure('malformed', 'The provider sent no sound.')
        over = true
        watch.stop()
        measure.end('success', { units })
        return { value: undefined, done: true }
      } catch (error) {
        over = true
        throw failed(error)
      }
    },
    async return() {
      if (!over) {
        over = true
        watch.stop()
        measure.end('cancelled', { units })
        response.discard()
      }
      return { value: undefined, done: true }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
