import { expect, test } from 'vitest'
import { ProviderFailure } from '../../../providers/types.ts'
import { embedWithRetry } from './retry.ts'

const signal = new AbortController().signal
const policy = { firstMs: 1, tries: 4, longestMs: 1000 }
/** A model that takes what `judge` says nothing against. */
const model = (judge: (texts: readonly string[], call: number) => ProviderFailure | null) => {
  const asked: (readonly string[])[] = []
  return {
    asked,
    embed: (texts: readonly string[]) =>
      embedWithRetry(
        async (some) => {
          asked.push(some)
          const failure = judge(some, asked.length)
          if (failure) throw failure
          return some.map((text) => [text.length])
        },
        texts,
        signal,
        policy,
      ),
  }
}
const lengths = (vectors: readonly (Float32Array | null)[]) => vectors.map((vector) => vector?.[0] ?? null)

test('a model that is busy or away is asked again', async () => {
  for (const kind of ['overloaded', 'unreachable', 'timeout'] as const) {
    const busy = model((_texts, call) => (call < 3 ? new ProviderFailure(kind, 'Not now.') : null))
    expect(lengths(await busy.embed(['a', 'bb']))).toEqual([1, 2])
    expect(busy.asked).toHaveLength(3)
  }
})

test('a model that stays away is given up, for another try later', async () => {
  const away = model(() => new ProviderFailure('unreachable', 'Away.'))
  await expect(away.embed(['a'])).rejects.toMatchObject({ kind: 'unreachable' })
  expect(away.asked).toHaveLength(4)
})

test('of a batch that is refused, only the text that is at fault is left out', async () => {
  const picky = model((texts) => (texts.includes('bad') ? new ProviderFailure('rejected', 'No.', 400) : null))
  expect(lengths(await picky.embed(['a', 'bb', 'bad', 'dddd', 'eeeee']))).toEqual([1, 2, null, 4, 5])
})

test('of a passage that is too long for the model its beginning is embedded', async () => {
  const small = model(([text = '']) => (text.length > 300 ? new ProviderFailure('context_overflow', 'Long.') : null))
  expect(lengths(await small.embed(['x'.repeat(1000)]))).toEqual([250])
})

test('there is no point in going on without a key, a budget or a right to ask', async () => {
  const cases: [ProviderFailure, string][] = [
    [new ProviderFailure('over_budget', 'Used up.'), 'over_budget'],
    [new ProviderFailure('no_key', 'No key.'), 'provider_rejected'],
    [new ProviderFailure('rejected', 'Who are you?', 401), 'provider_rejected'],
  ]
  for (const [failure, code] of cases) {
    const closed = model(() => failure)
    await expect(closed.embed(['a', 'b'])).rejects.toMatchObject({ code, message: failure.message })
    expect(closed.asked).toHaveLength(1)
  }
})

test('vectors that are none are not kept', async () => {
  for (const answer of [[[Number.NaN]], [[]], [], [[1], [2]]]) {
    const vectors = await embedWithRetry(async () => answer, ['a'], signal, policy)
    expect(vectors).toEqual([null])
  }
})

test('nothing is asked any more once it is to stop', async () => {
  const stop = new AbortController()
  const asked = embedWithRetry(
    async () => {
      stop.abort(new Error('Stop.'))
      throw new ProviderFailure('overloaded', 'Not now.')
    },
    ['a'],
    stop.signal,
    policy,
  )
  await expect(asked).rejects.toThrow('Stop.')
})
