/**
 * How this instance knows its own calls again when one of them comes back to it, straight or through another program: each
 * names its delivery, with a code that only this instance can make. Whatever else claims to be one is not believed.
 */
import { timingSafeEqual } from 'node:crypto'
import type { Vault } from '../../platform/vault/types.ts'

export const originHeader = 'atrium-delivery'

const codeOf = (vault: Pick<Vault, 'blindIndex'>, deliveryId: string): string =>
  vault.blindIndex('webhooks.origin', deliveryId)

export const signOrigin = (vault: Pick<Vault, 'blindIndex'>, deliveryId: string): string =>
  `${deliveryId}.${codeOf(vault, deliveryId)}`

/** The delivery that the header of a request names; null: it names none of this instance. */
export const readOrigin = (vault: Pick<Vault, 'blindIndex'>, header: string | null): string | null => {
  if (header === null || header.length > 500) return null
  const end = header.indexOf('.')
  const [deliveryId, code] = [header.slice(0, Math.max(0, end)), Buffer.from(header.slice(end + 1))]
  const expected = Buffer.from(codeOf(vault, deliveryId))
  return code.byteLength === expected.byteLength && timingSafeEqual(code, expected) ? deliveryId : null
}
