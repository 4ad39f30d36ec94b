/** The body of an upload route, read as it arrives. */
import type { IncomingMessage } from 'node:http'
import type { UploadedFile } from './area.ts'
import { fail } from './refusal.ts'

/**
 * Wraps a request as a file of at most `maxBytes`. Refuses at once when the declared length is over it.
 * A body that is cut off, or shorter than declared, ends in `request_aborted` and gives nothing.
 */
export const receiveUpload = (request: IncomingMessage, maxBytes: number): UploadedFile => {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > maxBytes) throw fail('too_large', `At most ${sizeText(maxBytes)} can be uploaded at once.`)
  return {
    mediaType:
      (request.headers['content-type'] ?? 'application/octet-stream').split(';')[0]?.trim().toLowerCase() ?? '',
    bytes: () => collect(request, maxBytes),
  }
}

const collect = async (request: IncomingMessage, maxBytes: number): Promise<Uint8Array> => {
  const chunks: Buffer[] = []
  let length = 0
  try {
    // Leaving the loop early must not cut the connection: the refusal still has to travel.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > maxBytes) break
      chunks.push(chunk)
    }
  } catch {
    // The only thing that can fail while reading is the connection.
    throw fail('request_aborted')
  }
  if (length > maxBytes) throw fail('too_large', `At most ${sizeText(maxBytes)} can be uploaded at once.`)
  if (!request.complete) throw fail('request_aborted')
  return Buffer.concat(chunks, length)
}

const sizeText = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MiB` : `${Math.floor(bytes / 1024)} KiB`
