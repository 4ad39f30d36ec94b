/** Base64 as it is told: strictly the one way of writing each file (RFC 4648, section 4). Pure. */
import { ProviderFailure } from '../types.ts'
import { unreadableAnswer } from './route.ts'

/** The bytes of base64, also behind `data:…;base64,`. Throws `malformed` for anything that is written in another way. */
export function bytesOfBase64(text: string): Uint8Array {
  const data = text.replace(/^data:[A-Za-z0-9.+/=;-]{0,100},/, '')
  if (data === '' || data.length % 4 !== 0) throw unreadableAnswer()
  const bytes = Buffer.from(data, 'base64')
  if (bytes.toString('base64') !== data) throw unreadableAnswer()
  return bytes
}

/** The same; null for what cannot be read. */
export function readableBase64(text: string): Uint8Array | null {
  try {
    return bytesOfBase64(text)
  } catch (error) {
    if (error instanceof ProviderFailure) return null
    throw error
  }
}
