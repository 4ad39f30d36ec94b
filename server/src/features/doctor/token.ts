/** Tokens that only who has the key of the instance can make: they prove it for a while, and hold nothing. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { KeyCard } from '../../platform/vault/instance-key.ts'
import { operatorKey } from '../../platform/vault/keys.ts'

/** `operator`: somebody at the machine asks; `probe`: a client may measure the way to the server. */
export type TokenPurpose = 'operator' | 'probe'

/** Good until `expiresAt` (milliseconds), for one purpose, in every process that has the same key. */
export const signToken = (key: KeyCard, purpose: TokenPurpose, expiresAt: number): string =>
  `${expiresAt}.${signatureOf(key, purpose, expiresAt)}`

/** Whether a token was signed for this purpose and is not over; `longestMs` bounds how far ahead one may be dated. */
export const isTokenValid = (
  key: KeyCard,
  purpose: TokenPurpose,
  token: string,
  { now, longestMs }: { now: number; longestMs: number },
): boolean => {
  const [, digits, signature = ''] = /^(\d{1,15})\.([0-9a-f]{64})$/.exec(token) ?? []
  const expiresAt = Number(digits)
  if (!(expiresAt > now && expiresAt <= now + longestMs)) return false
  // While the key is replaced, some ask with the one before.
  const keys = key.previous ? [key, key.previous] : [key]
  return keys.some((one) => timingSafeEqual(Buffer.from(signatureOf(one, purpose, expiresAt)), Buffer.from(signature)))
}

const signatureOf = (key: KeyCard, purpose: TokenPurpose, expiresAt: number): string =>
  createHmac('sha256', operatorKey(Buffer.from(key.reveal(), 'hex')))
    .update(`${purpose} ${expiresAt}`)
    .digest('hex')
