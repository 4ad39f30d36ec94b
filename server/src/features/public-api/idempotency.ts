/**
 * `Idempotency-Key`: the same request under the same key is made once, and its answer given again for a day. Streams
 * are not kept: there the key changes nothing.
 */
import type { Caller, Context, RelayAnswer } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Vault } from '../../platform/vault/types.ts'
import type { AnswerStore, IdempotencyClaim } from './store.ts'

export interface IdempotencyDeps extends Pick<Platform, 'clock'> {
  readonly vault: Pick<Vault, 'blindIndex'>
  readonly kept: AnswerStore
}

/** Runs `make` unless the answer to this very request is there. `route` and `body` say which request it is. */
export type RunOnce = (
  context: Context<Caller>,
  route: string,
  body: unknown,
  make: () => Promise<RelayAnswer>,
) => Promise<RelayAnswer>

const day = 24 * 3_600_000
/** A request whose process died does not hold its key for longer. */
const longestRun = 15 * 60_000
const keyForm = /^[\x21-\x7e]{1,255}$/

export const createIdempotency = ({ clock, vault, kept }: IdempotencyDeps): RunOnce => {
  const running = new Map<string, Promise<void>>()
  let prunedAt = 0

  const prune = async (now: number): Promise<void> => {
    if (now - prunedAt < 3_600_000) return
    prunedAt = now
    await kept.prune(now - day)
  }

  return async (context, route, body, make) => {
    const key = context.header('idempotency-key')
    if (key === null) return await make()
    if (!keyForm.test(key)) throw fail('validation_failed', 'The Idempotency-Key must be 1 to 255 visible characters.')
    const { accountId, token } = context.caller
    const id = vault.blindIndex('public-api.key', JSON.stringify([accountId, token?.id ?? null, route, key]))
    const digest = vault.blindIndex('public-api.body', JSON.stringify(body))

    let claim: IdempotencyClaim
    for (;;) {
      const now = clock.now()
      await prune(now)
      claim = { id, accountId, digest, now, answersSince: now - day, runningSince: now - longestRun }
      const record = await kept.claim(claim)
      if (!record) break
      if (record.digest !== digest) {
        throw fail('id_reused', 'This Idempotency-Key was already used for a different request.')
      }
      if (record.answer) return { ...record.answer, headers: { 'idempotent-replayed': 'true' } }
      const twin = running.get(id)
      if (!twin) throw fail('conflict', 'The same request is already being answered. Try again in a moment.')
      await twin
    }

    const { promise, resolve } = Promise.withResolvers<void>()
    running.set(id, promise)
    try {
      const answer = await make()
      await kept.saveAnswer(claim, { mediaType: answer.mediaType, body: bytesOf(answer) })
      return answer
    } catch (error) {
      await kept.release(claim)
      throw error
    } finally {
      if (running.get(id) === promise) running.delete(id)
      resolve()
    }
  }
}

/** Only whole answers are kept, so only those are made here. */
const bytesOf = ({ body }: RelayAnswer): Uint8Array => {
  if (typeof body === 'string') return Buffer.from(body)
  if (body instanceof Uint8Array) return body
  throw new TypeError('a stream cannot be kept')
}
