import { accountsRoutes } from '@atrium/contract/accounts'
import { expect, test } from 'vitest'
import { withDatabase } from '../../../testing/databases.ts'
import { enter, openSecondFactorHarness } from '../../../testing/second-factor.ts'
import { createAccountStore } from '../people/store.ts'

withDatabase('signing in', (open) => {
  test('hashes a password anew when costs have grown, once, and nothing that is open ends', async () => {
    const harness = await openSecondFactorHarness(open)
    const client = await enter(harness.guest)
    const { id } = await client.call(accountsRoutes.me, {})
    const store = createAccountStore(harness)
    const before = await store.credential(id)
    await enter(harness.guest)
    expect(await store.credential(id)).toBe(before)

    const dearer = { passwordCosts: { memory: 512, passes: 3, parallelism: 1 } }
    const grown = await harness.another(dearer)
    // Two at the same moment: one of them hashes, both come in.
    await Promise.all([enter(grown.guest), enter(grown.guest)])
    const after = await store.credential(id)
    expect(after).toContain('$m=512,t=3,p=1$')
    await enter(grown.guest)
    await enter(harness.guest)
    expect(await store.credential(id)).toBe(after)
    expect(await client.call(accountsRoutes.me, {})).toMatchObject({ username: 'ann' })
  })
})
