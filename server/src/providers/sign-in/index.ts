/**
 * The server's own sign-in with a vendor's subscription, made by the vendor's command-line tool on this machine. Tokens
 * are read where the tool keeps them, refreshed in time, and written back; they are told to nobody but that vendor.
 */
import { join } from 'node:path'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Outbound } from '../../platform/outbound/types.ts'
import { exchange, translate } from '../exchange.ts'
import { ProviderFailure } from '../types.ts'
import { asText, type Json } from '../wires/json.ts'
import { withFileLock, readSignInFile, writeSignInFile } from './file.ts'
import { expiryOf, RefreshAnswer, readTokens, type Tokens, withTokens } from './tokens.ts'

export { askSignedIn } from './ask.ts'

export interface SignInState {
  readonly state: 'hidden' | 'not-signed-in' | 'signed-in' | 'refreshing' | 'refresh-failed'
  /** What to do about it, in words. */
  readonly detail: string | null
  /** When the access token ends; milliseconds. */
  readonly expiresAt: number | null
  /** When the vendor's file was last refreshed, as it says. */
  readonly refreshedAt: string | null
  /** Whether the newest tokens are in the file; otherwise they end with this process. */
  readonly saved: boolean
}

/** What connections need of it. */
export interface SignIn {
  available(): Promise<SignInState>
  /** The headers of one call, refreshed in time. Throws ProviderFailure when there is no usable sign-in. */
  headers(): Promise<Record<string, string>>
  /** Whether there are other headers now than those that were refused. Throws ProviderFailure. */
  refreshed(refused: Readonly<Record<string, string>>): Promise<boolean>
}

export interface SignInDeps {
  /** SIGNIN_OAUTH_MODELS_ENABLED. */
  readonly enabled: boolean
  /** The vendor tool's home: CODEX_HOME. */
  readonly home: string
  readonly outbound: Pick<Outbound, 'check' | 'request'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly tokenUrl?: string
}

const vendor = {
  tokenUrl: 'https://auth.openai.com/oauth/token',
  /** Of the vendor's tool: a refresh token belongs to the client that it was given to. */
  client: 'app_EMoamEEZ73f0CkXaXp7hrann',
  scope: 'openid profile email',
}
const headers = { originator: 'atrium', 'openai-beta': 'responses=experimental' }
const earlyMs = 60_000
const refreshMs = 30_000

const signInWords = 'Nobody is signed in on this server. Sign in there with the vendor’s command-line tool.'
const againWords = 'This server’s sign-in is no longer accepted. Sign in there again with the vendor’s tool.'
const unsavedWords = 'The refreshed sign-in couldn’t be saved, so it ends with this process.'
const laterWords = 'This server’s sign-in couldn’t be refreshed right now.'

export const createSignIn = ({ enabled, home, outbound, clock, log, tokenUrl }: SignInDeps): SignIn => {
  const path = join(home, 'auth.json')
  let running: Promise<Tokens> | null = null
  /** Tokens that could not be written, and the refresh token that the file still holds in their place. */
  let held: { readonly tokens: Tokens; readonly insteadOf: string } | null = null
  let failed: { readonly refreshToken: string; readonly words: string; readonly final: boolean } | null = null

  const read = async (): Promise<{ file: Json; tokens: Tokens } | null> => {
    const file = await readSignInFile(path)
    const tokens = file && readTokens(file)
    if (!file || !tokens) return null
    // Somebody who signed in anew counts more than what is remembered.
    if (held && held.insteadOf !== tokens.refreshToken) held = null
    const current = held?.tokens ?? tokens
    if (failed && failed.refreshToken !== current.refreshToken) failed = null
    return { file, tokens: current }
  }

  const refresh = async (before: Tokens): Promise<Tokens> => {
    const found = await read()
    if (!found) throw new ProviderFailure('no_key', signInWords)
    // Another process may have been faster: a refresh token is good for one use.
    if (found.tokens.accessToken !== before.accessToken) return found.tokens
    if (failed?.final) throw new ProviderFailure('no_key', failed.words)
    const fresh = await askFor(found.tokens.refreshToken)
    const written = withTokens(found.file, fresh, clock.now())
    const tokens = readTokens(written)
    if (!tokens) throw new ProviderFailure('malformed', laterWords)
    failed = null
    const insteadOf = held?.insteadOf ?? found.tokens.refreshToken
    held = (await writeSignInFile(path, written)) ? null : { tokens, insteadOf }
    if (held) log.warn('the refreshed sign-in could not be written back; it lasts as long as this process', {})
    return tokens
  }

  const askFor = async (refreshToken: string): Promise<RefreshAnswer> => {
    const body = { client_id: vendor.client, grant_type: 'refresh_token', refresh_token: refreshToken }
    try {
      const url = await outbound.check(tokenUrl ?? vendor.tokenUrl)
      const limits = { timeoutMs: refreshMs, maxBytes: 256 * 1024 }
      const answer = await exchange(outbound, {
        method: 'POST',
        url,
        body: { ...body, scope: vendor.scope },
        ...limits,
      })
      const read = RefreshAnswer.safeParse(answer)
      if (!read.success) throw new ProviderFailure('malformed', laterWords)
      return read.data
    } catch (error) {
      const failure = translate(error)
      if (!(failure instanceof ProviderFailure)) throw failure
      const { status } = failure
      const final = status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429
      failed = { refreshToken, words: final ? againWords : laterWords, final }
      log.warn('the sign-in could not be refreshed', { kind: failure.kind, status })
      throw new ProviderFailure(final ? 'no_key' : failure.kind, failed.words, status)
    }
  }

  /** One refresh in flight; whoever needs it meanwhile waits for it. */
  const fresh = (before: Tokens): Promise<Tokens> => {
    running ??= withFileLock(path, clock.now, () => refresh(before)).finally(() => {
      running = null
    })
    return running
  }

  const current = async (): Promise<Tokens> => {
    if (!enabled) throw new ProviderFailure('no_key', 'The server’s own sign-in is off.')
    const found = await read()
    if (!found) throw new ProviderFailure('no_key', signInWords)
    const left = timeLeft(found.tokens, clock.now())
    if (left > earlyMs) return found.tokens
    return await fresh(found.tokens).catch((error: unknown) => {
      // What has not ended yet still serves.
      if (left > 0 && error instanceof ProviderFailure) return found.tokens
      throw error
    })
  }

  return {
    async available() {
      const nothing = { detail: null, expiresAt: null, refreshedAt: null, saved: true }
      if (!enabled) return { ...nothing, state: 'hidden' }
      const found = await read()
      if (!found) return { ...nothing, state: 'not-signed-in', detail: signInWords }
      const expiresAt = expiryOf(found.tokens.accessToken)
      const about = { expiresAt, refreshedAt: asText(found.file['last_refresh']) || null, saved: held === null }
      if (running) return { ...about, state: 'refreshing', detail: null }
      if (failed) return { ...about, state: 'refresh-failed', detail: failed.words }
      return { ...about, state: 'signed-in', detail: held ? unsavedWords : null }
    },
    headers: async () => headersOf(await current()),
    async refreshed(refused) {
      const now = headersOf(await current())
      if (now['authorization'] !== refused['authorization']) return true
      const found = await read()
      if (!found) return false
      return headersOf(await fresh(found.tokens))['authorization'] !== refused['authorization']
    },
  }
}

const timeLeft = ({ accessToken }: Tokens, now: number): number =>
  accessToken === '' ? 0 : (expiryOf(accessToken) ?? Number.POSITIVE_INFINITY) - now

const headersOf = ({ accessToken, accountId }: Tokens): Record<string, string> => ({
  authorization: `Bearer ${accessToken}`,
  ...(accountId === null ? {} : { 'chatgpt-account-id': accountId }),
  ...headers,
})
