/**
 * The secret of a webhook, and who has it: as bearer, as a signature by Standard Webhooks 1.0 (HMAC-SHA256 over id, time
 * and body, keyed with the decoded secret), or as `X-Hub-Signature-256` (over the body, keyed with the secret as shown).
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const prefix = 'whsec_'
const toleranceMs = 5 * 60_000

/** 256 bits. */
export const makeSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`

export interface Delivery {
  /** A header of the request. */
  header(name: string): string | null
  readonly body: Uint8Array
  readonly now: number
}

/** How it was shown that the sender has the secret; `id`: of the delivery, where the sender names it. null: it was not. */
export const checkDelivery = (
  secret: string | null,
  { header, body, now }: Delivery,
): { readonly id: string | null } | null => {
  // An unknown automation takes as long as a wrong secret.
  const known = secret ?? makeSecret()
  const id = header('webhook-id')
  const isShown =
    bearerMatches(known, header('authorization')) ||
    hubSignatureMatches(known, header('x-hub-signature-256'), body) ||
    standardSignatureMatches(known, {
      id,
      timestamp: header('webhook-timestamp'),
      signature: header('webhook-signature'),
      body,
      now,
    })
  return secret !== null && isShown ? { id: id !== null && id.length <= 200 ? id : null } : null
}

const bearerMatches = (secret: string, header: string | null): boolean => {
  const [, token] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? []
  return token !== undefined && isSame(token, secret)
}

const hubSignatureMatches = (secret: string, header: string | null, body: Uint8Array): boolean => {
  const [, signature] = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '') ?? []
  const expected = createHmac('sha256', secret).update(body).digest('hex')
  return signature !== undefined && isSame(signature.toLowerCase(), expected)
}

const standardSignatureMatches = (
  secret: string,
  {
    id,
    timestamp,
    signature,
    body,
    now,
  }: {
    readonly id: string | null
    readonly timestamp: string | null
    readonly signature: string | null
    readonly body: Uint8Array
    readonly now: number
  },
): boolean => {
  if (id === null || signature === null || !/^\d{1,12}$/.test(timestamp ?? '')) return false
  if (Math.abs(Number(timestamp) * 1000 - now) > toleranceMs) return false
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  // While a secret is exchanged, senders sign with both.
  return signature.split(' ', 10).some((one) => one.startsWith('v1,') && isSame(one.slice(3), expected))
}

/** Of any length, in the same time. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(digestOf(a), digestOf(b))
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()
