/** The sign-in file of the vendor's command-line tool, as data: what of it is ours to read, and to write back. Pure. */
import { z } from 'zod'
import { asCount, asObject, asText, type Json } from '../wires/json.ts'

export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly accountId: string | null
}

/** null: nobody is signed in, or not in the way that refreshes (an API key in the file is not used). */
export function readTokens(file: Json): Tokens | null {
  const tokens = asObject(file['tokens'])
  const accessToken = asText(tokens?.['access_token'])
  const refreshToken = asText(tokens?.['refresh_token'])
  if (!soundToken(refreshToken) || (accessToken !== '' && !soundToken(accessToken))) return null
  const accountId = asText(tokens?.['account_id']) || accountOf(accessToken)
  return { accessToken, refreshToken, accountId: accountId !== null && soundToken(accountId) ? accountId : null }
}

/** What the token endpoint answers. A token that it leaves out stays as it is. */
export const RefreshAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  id_token: z.string().min(1).optional(),
})
export type RefreshAnswer = z.infer<typeof RefreshAnswer>

/** The file with fresh tokens in it; whatever else the vendor keeps there is left alone. */
export const withTokens = (file: Json, fresh: RefreshAnswer, now: number): Json => ({
  ...file,
  tokens: { ...asObject(file['tokens']), ...fresh },
  last_refresh: new Date(now).toISOString(),
})

/** The last one that a date can hold; what ends later does not say when. */
const lastSecond = 8_640_000_000_000

/** When an access token ends, in milliseconds; null when it does not say. Its signature is its issuer's business. */
export function expiryOf(accessToken: string): number | null {
  const seconds = asCount(claimsOf(accessToken)['exp'])
  return seconds === null || seconds > lastSecond ? null : seconds * 1000
}

const accountOf = (accessToken: string): string | null =>
  asText(asObject(claimsOf(accessToken)['https://api.openai.com/auth'])?.['chatgpt_account_id']) || null

function claimsOf(token: string): Json {
  const payload = token.split('.')[1]
  if (payload === undefined) return {}
  try {
    return asObject(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))) ?? {}
  } catch {
    // A token that is no JWT says nothing of itself; it is used until it is refused.
    return {}
  }
}

/** A header carries visible ASCII only. */
const soundToken = (token: string): boolean => /^[\x21-\x7e]{1,20000}$/.test(token)
