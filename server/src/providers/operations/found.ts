/** From what a format found in an answer to media that is kept: fetched where it lies elsewhere, told by its own bytes. */
import { isTooLarge, readHead } from '../../platform/formats/picture/head.ts'
import type { OutboundResponse } from '../../platform/outbound/types.ts'
import { translate } from '../exchange.ts'
import { makeHarmless } from '../harmless-text.ts'
import { ProviderFailure } from '../types.ts'
import { openAnswer, type ProviderAccess } from './ask.ts'
import { bytesOfBase64 } from './base64.ts'
import type { Found, FoundPicture, FoundSound } from './format.ts'
import { soundTypeOf } from './media-type.ts'
import { isPassing, waitUnlessStopped } from './patience.ts'
import { unreadableAnswer } from './route.ts'
import type { Picture, Sound } from './types.ts'
import { samplesOf, toWav } from './wav.ts'

const timeoutMs = 5 * 60_000
const mostRetries = 2
const retryMs = 500
const maxPictureBytes = 32 * 1024 * 1024
const maxSoundBytes = 120 * 1024 * 1024

export async function toPicture(wired: ProviderAccess, { found, revisedPrompt }: FoundPicture): Promise<Picture> {
  const bytes = await bytesOf(wired, found, { accept: 'image/*', maxBytes: maxPictureBytes })
  const head = readHead(bytes)
  if (!head) throw unreadableAnswer()
  if (isTooLarge(head)) {
    throw new ProviderFailure('too_large', 'The picture of the provider has more pixels than can be shown.')
  }
  return { ...head, bytes, revisedPrompt: makeHarmless((revisedPrompt ?? '').slice(0, 32_000)) || null }
}

/** Bare samples become a WAV file, and stand behind no other name. */
export async function toSound(wired: ProviderAccess, read: FoundSound): Promise<Sound> {
  const bytes = await bytesOf(wired, read.found, { accept: 'audio/*', maxBytes: maxSoundBytes })
  if (bytes.byteLength === 0) throw new ProviderFailure('malformed', 'The provider sent no sound.')
  const { inputTokens = null, outputTokens = null } = read
  const transcript = makeHarmless((read.transcript ?? '').slice(0, 100_000)) || null
  const told = soundTypeOf(bytes)
  if (told !== null) return { mediaType: told, bytes, transcript, inputTokens, outputTokens }
  if (read.samples === undefined) throw unreadableAnswer()
  const wav = toWav(bytes, samplesOf(read.samples))
  return { mediaType: 'audio/wav', bytes: wav, transcript, inputTokens, outputTokens }
}

interface Wanted {
  readonly accept: string
  readonly maxBytes: number
}

async function bytesOf(wired: ProviderAccess, found: Found, wanted: Wanted): Promise<Uint8Array> {
  if ('bytes' in found) return found.bytes
  if ('base64' in found) return bytesOfBase64(found.base64)
  if ('address' in found && found.address.startsWith('data:')) return bytesOfBase64(found.address)
  const late = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([wired.signal, late])
  for (let failures = 0; ; failures += 1) {
    try {
      const response = await openFound(wired, found, { ...wanted, signal })
      return await response.bytes()
    } catch (error) {
      if (late.aborted && !wired.signal.aborted) {
        throw new ProviderFailure('timeout', 'The result did not arrive in time.')
      }
      // It was made, and paid for: what broke on the way is fetched again.
      if (wired.signal.aborted || failures === mostRetries || !isPassing(error)) {
        throw translate(error, wired.signal, true)
      }
      await waitUnlessStopped(retryMs * 2 ** failures, wired.signal)
    }
  }
}

/**
 * The answer of the place where something lies, with nothing read of it. A stranger's address gets no key and no other
 * header of ours, and a redirect is none. Throws what `outbound` throws, and ProviderFailure.
 */
export async function openFound(
  wired: ProviderAccess,
  found: Extract<Found, { readonly address: string } | { readonly at: unknown }>,
  { accept, maxBytes, signal }: Wanted & { readonly signal: AbortSignal },
): Promise<OutboundResponse> {
  if ('at' in found) return await openAnswer(wired, { ...found.at, accept }, { timeoutMs, maxBytes, signal })
  if (found.address === '') throw unreadableAnswer()
  const response = await wired.outbound.request(await wired.outbound.check(found.address), {
    method: 'GET',
    headers: { accept },
    signal,
    maxBytes,
  })
  const { status } = response
  if (status === 200) return response
  response.discard()
  throw status === 404 || status === 410 || status === 429 || status >= 500
    ? new ProviderFailure('rejected', 'The result can’t be fetched from where the provider said.', status)
    : new ProviderFailure('malformed', 'The result isn’t where the provider said.')
}
