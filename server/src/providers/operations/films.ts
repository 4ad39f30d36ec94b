/** Films are fetched as they arrive: nobody holds one in memory. */
import type { OutboundResponse } from '../../platform/outbound/types.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { translate } from '../exchange.ts'
import { bytesOfBase64 } from './base64.ts'
import type { ProviderAccess } from './ask.ts'
import type { FoundVideo } from './format.ts'
import { openFound } from './found.ts'

export type FoundFilm = FoundVideo

export const maxFilmBytes = 200 * 1024 * 1024

/** Throws ProviderFailure, also in the middle; `url_not_allowed` for an address that nobody may call. */
export async function openFilm(
  access: ProviderAccess,
  { found }: FoundFilm,
): Promise<Pick<OutboundResponse, 'body' | 'discard'>> {
  if ('bytes' in found) return whole(found.bytes)
  if ('base64' in found) return whole(bytesOfBase64(found.base64))
  if ('address' in found && found.address.startsWith('data:')) return whole(bytesOfBase64(found.address))
  const wanted = { accept: 'video/*', maxBytes: maxFilmBytes, signal: access.signal }
  const response = await openFound(access, found, wanted).catch((error: unknown) => {
    throw error instanceof Refusal ? error : translate(error, access.signal)
  })
  return { body: inOurWords(response.body), discard: () => response.discard() }
}

async function* inOurWords(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw translate(error, undefined, true)
  }
}

const whole = (bytes: Uint8Array): Pick<OutboundResponse, 'body' | 'discard'> => ({
  body: (async function* () {
    yield bytes
  })(),
  discard() {},
})
