/** Text read aloud, over the common `/audio/speech`. The sound is handed on as it comes. */
import { translate } from '../exchange.ts'
import { refusedByStatus, stoppedFailure } from '../faults.ts'
import { startIdleTimeout } from '../idle-timeout.ts'
import { ProviderFailure } from '../types.ts'
import { charactersIn, type OperationCall, textIn, omitUndefined } from './route.ts'
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

/** Ends its measure itself, when the sound has ended or was left. `also`: further fields of the request. */
export async function synthesizeSpeech(
  call: OperationCall,
  ask: SpeechAsk,
  also: Readonly<Record<string, unknown>>,
): Promise<Speech> {
  const { outbound, headers, hasKey, model, config, signal, measure } = call
  const characters = charactersIn(ask.text)
  const format = ask.format ?? textIn(config, 'default_format') ?? 'mp3'
  const voice = ask.voice ?? textIn(config, 'default_voice')
  const { speed, instructions } = ask
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
    const response = await outbound.request(call.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'audio/*', ...headers },
      body: JSON.stringify({
        ...also,
        ...omitUndefined({ model, input: ask.text, voice, response_format: format, speed, instructions }),
      }),
      signal: watch.signal,
      headersMs: watch.longestMs,
      idleMs: watch.longestMs,
      maxBytes,
    })
    if (response.status < 200 || response.status > 299) {
      const answered = response.headers
      throw refusedByStatus(response.status, (await response.text()).slice(0, 65_536), { hasKey, headers: answered })
    }
    const said = response.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
    if (!/^$|^audio\/|octet-stream$/.test(said)) {
      response.discard()
      throw new ProviderFailure('malformed', 'The provider answered with something other than sound.')
    }
    const mediaType = said.startsWith('audio/') ? said : (types[format] ?? 'application/octet-stream')
    const body = sound(response, { watch, failed, measure, characters })
    return { mediaType, format, body }
  } catch (error) {
    throw failed(error)
  }
}

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
