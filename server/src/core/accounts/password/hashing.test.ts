import { describe, expect, test } from 'vitest'
import { shareOfThisThread } from '../../../testing/thread-share.ts'
import { createPasswordHasher } from './hashing.ts'

const { hash, verify } = createPasswordHasher()

describe('password hashes', () => {
  test('are argon2id in PHC form, salted, and verify only the password', async () => {
    const [one, two] = await Promise.all([hash('correct horse battery'), hash('correct horse battery')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(one).not.toBe(two)
    expect(await verify('correct horse battery', one)).toBe(true)
    expect(await verify('correct horse batterY', one)).toBe(false)
    expect(await verify('', one)).toBe(false)
  })

  test('are the same from a keyboard that composes letters differently', async () => {
    expect(await verify('zoe\u0308-and-twelve', await hash('zoë-and-twelve'))).toBe(true)
  })

  test('made elsewhere with other costs verify as well', async () => {
    // From the reference implementation's own tests (version 19, t=2, m=256, p=1).
    const phc = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
    expect(await verify('password', phc)).toBe(true)
    expect(await verify('passwore', phc)).toBe(false)
  })

  test('are outdated when their costs are lower than those of today, and not when they are higher', async () => {
    const low = createPasswordHasher({ memory: 256, passes: 2, parallelism: 1 })
    const high = createPasswordHasher({ memory: 256, passes: 3, parallelism: 1 })
    const [made, better] = await Promise.all([low.hash('correct horse battery'), high.hash('correct horse battery')])
    expect([low.isOutdated(made), high.isOutdated(made), low.isOutdated(better)]).toEqual([false, true, false])
  })

  test('a damaged one is an error, not a wrong password', async () => {
    await expect(verify('x', 'plain text')).rejects.toThrow('PHC')
  })

  test('nobody’s password is always wrong, and takes as long as somebody’s', async () => {
    const phc = await hash('correct horse battery')
    const times: [number[], number[]] = [[], []]
    // In turns, so that whatever else the machine does slows both.
    for (let i = 0; i < 22; i++) {
      const start = performance.now()
      expect(await verify('wrong horse battery', i % 2 ? phc : null)).toBe(false)
      times[i % 2 ? 0 : 1].push(performance.now() - start)
    }
    // The least of each: what else the machine does only adds.
    const [known = 0, unknown = 0] = times.map((some) => Math.min(...some))
    expect(unknown / known).toBeGreaterThan(0.5)
    expect(unknown / known).toBeLessThan(2)
  })

  test('hashing leaves the event loop free', async () => {
    const share = await shareOfThisThread(() =>
      Promise.all(Array.from({ length: 12 }, () => hash('correct horse battery'))),
    )
    expect(share).toBeLessThan(0.5)
  })

  test('more than a few hundred at once are turned away instead of piling up', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 260 }, () =>
        verify('x', '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'),
      ),
    )
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused.length).toBe(58)
    expect(refused[0]).toMatchObject({ reason: { code: 'unavailable' } })
    expect(await verify('x', null)).toBe(false)
  })
})
