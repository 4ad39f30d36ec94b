import { afterEach, expect, test } from 'vitest'
import { createLog } from '../../platform/log/log.ts'
import { testClock } from '../../testing/clock.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { recordingInMemory } from '../../testing/usage-policy.ts'
import { createUsage, usageMigrations } from './index.ts'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

onBothDatabases('the budget that an owner gives a token', (open) => {
  const start = async () => {
    const owners = new Map([
      ['t1', 'ben'],
      ['t2', 'ben'],
      ['t3', 'cem'],
    ])
    const database = await open(usageMigrations)
    const usage = createUsage({
      recording: recordingInMemory(database),
      database,
      clock: testClock(Date.UTC(2026, 10, 20, 12)),
      processId: 'here',
      log: createLog({ level: 'silent' }),
      findPrincipal: async (type, id) => {
        const accountId = owners.get(id) ?? null
        return type === 'token' && accountId === null ? null : { name: `the ${id}`, accountId }
      },
    })
    stops.push(() => usage.stop())
    /** A call that costs 0.000225 dollars by the published price. */
    const admit = (tokenId: string | null) =>
      usage.admit({
        accountId: 'ben',
        tokenId,
        providerId: 'openai',
        providerName: 'OpenAI',
        model: 'gpt-5.4-mini',
        capability: 'chat',
        inputTokens: 60,
        outputTokens: 40,
      })
    const set = (id: string, amount: string | null, period: 'daily' | 'monthly' = 'daily') =>
      usage.tokenBudgets.set({ id, label: `Token ${id}` }, amount === null ? null : { amount, period })
    const of = async () => Object.fromEntries(await usage.tokenBudgets.of(['t1', 't2', 't3', 'unknown']))
    return { usage, admit, set, of }
  }

  test('stops the token alone, and says who can raise it', async () => {
    const { admit, set } = await start()
    await set('t1', '0.000300')
    await admit('t1')
    await expect(admit('t1')).rejects.toThrow(/“Token t1”.*whoever made the token can raise it/)
    await admit('t2')
    await admit(null)
    await set('t1', '0.001')
    await admit('t1')
  })

  test('is one for each token: the newest word counts, and none takes it away', async () => {
    const { set, of } = await start()
    await Promise.all([set('t1', '5.50'), set('t1', '5.50'), set('t2', '7', 'monthly')])
    expect(await of()).toEqual({ t1: { amount: '5.5', period: 'daily' }, t2: { amount: '7', period: 'monthly' } })
    await set('t1', '9', 'monthly')
    expect((await of())['t1']).toEqual({ amount: '9', period: 'monthly' })
    await set('t1', null)
    await set('t3', null)
    expect(Object.keys(await of())).toEqual(['t2'])
  })

  test('goes with the account of its owner, and no other does', async () => {
    const { usage, set, of } = await start()
    await set('t1', '1')
    await set('t3', '1')
    await usage.removeAccount('ben')
    expect(Object.keys(await of())).toEqual(['t3'])
  })
})
