import { accessRoutes as routes } from '@atrium/contract/access'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AccessHarness, openAccessHarness, testThings } from '../../../testing/access-harness.ts'
import { withDatabase } from '../../../testing/databases.ts'

const reason = 'The export of ticket 4711 fails'

withDatabase('support access', (open) => {
  let harness: AccessHarness
  beforeEach(async () => {
    harness = await openAccessHarness(open)
    await harness.put('chat', 'c')
    await harness.put('document', 'd')
  })
  afterEach(() => harness?.close())
  const admin = () => harness.as(`admin:${harness.root}`)
  const begin = (more: object = {}) =>
    admin().call(routes.startBreakGlass, {
      body: { accountId: harness.ann, reason, hours: 2, password: 'right', ...more },
    })
  const chat = { params: { id: 'c' } }

  test('reads what the account has, no more, and its owner is told at once, with who, why and until when', async () => {
    const { as, ann, ben, root, told, mailed, clock } = harness
    expect((await admin().refusal(testThings.chat, chat)).code).toBe('chat_not_found')
    const look = await begin()
    expect(look).toMatchObject({ administrator: { name: 'root' }, account: { name: 'ann' }, reason, active: true })
    expect(told).toEqual([`${ann} support-access-changed`, `${root} support-access-changed`])
    expect(mailed).toEqual([`${ann} root`])
    expect(await admin().call(testThings.chat, chat)).toEqual({ right: 'read', ownerId: ann })
    expect((await admin().refusal(testThings.change, { params: { id: 'd' } })).code).toBe('right_missing')
    for (const other of [ben, `token:${root}`, root])
      expect((await as(other).refusal(testThings.chat, chat)).code).toBe('chat_not_found')
    const own = { items: [{ ...look, openedCount: 1 }], nextCursor: null }
    expect(await as(ann).call(routes.breakGlass, {})).toEqual(own)
    expect(await admin().call(routes.breakGlass, { query: { about: 'everybody' } })).toEqual(own)
    expect((await admin().call(routes.breakGlass, {})).items).toEqual([])
    expect((await as(ann).refusal(routes.breakGlass, { query: { about: 'everybody' } })).code).toBe('forbidden')
    clock.advance(2 * 3_600_000)
    expect((await admin().refusal(testThings.chat, chat)).code).toBe('chat_not_found')
    expect((await as(ann).call(routes.breakGlass, {})).items).toMatchObject([{ active: false, seen: false }])
  })

  test('leaves a trace of each thing that is opened, once, for the owner and the audit', async () => {
    const { as, ann, ben, recorded, told } = harness
    const { id } = await begin()
    for (let n = 0; n < 3; n++) await admin().call(testThings.chat, chat)
    const things = await admin().call(routes.breakGlassThings, { params: { id }, query: { type: 'document' } })
    expect(things.items).toMatchObject([{ id: 'd', name: 'document d' }])
    await admin().call(testThings.document, { params: { id: 'd' } })
    const uses = (who: string) => as(who).call(routes.breakGlassUses, { params: { id } })
    expect((await uses(ann)).items.map(({ resourceId, name }) => `${resourceId} ${name}`).toSorted()).toEqual([
      ...['c chat c', 'd document d', 'null null'],
    ])
    expect((await uses(`admin:${harness.root}`)).items.map(({ name }) => name)).toEqual([null, null, null])
    expect((await as(ben).refusal(routes.breakGlassUses, { params: { id } })).code).toBe('break_glass_not_found')
    expect((await recorded()).filter((line) => line.startsWith('break-glass')).toSorted()).toEqual([
      `break-glass.create account ${ann}`,
      ...['break-glass.use chat c', 'break-glass.use document d', 'break-glass.use document null'],
    ])
    expect(told.filter((line) => line === `${ann} support-access-changed`)).toHaveLength(4)
  })

  test('needs a fresh proof, a reason, an end, a session and the role, and is of oneself never', async () => {
    const { as, ann, ben, root } = harness
    const body = { accountId: ann, reason, hours: 1 }
    const refusal = async (who: string, more: object = {}) =>
      (await as(who).refusal(routes.startBreakGlass, { body: { ...body, password: 'right', ...more } })).code
    expect(await refusal(ben)).toBe('forbidden')
    expect(await refusal(`token:${root}`)).toBe('token_scope')
    expect(await refusal(`admin:${root}`, { password: 'wrong' })).toBe('wrong_password')
    for (const more of [{ reason: 'short' }, { hours: 0 }, { hours: 25 }, { accountId: root }])
      expect(await refusal(`admin:${root}`, more)).toBe('validation_failed')
    expect(await refusal(`admin:${root}`, { accountId: 'nobody' })).toBe('user_not_found')
    expect((await admin().refusal(testThings.chat, chat)).code).toBe('chat_not_found')
    await begin()
    expect(await refusal(`admin:${root}`)).toBe('break_glass_open')
  })

  test('is ended before its time by any administrator, not by the owner, who says that the notice was read', async () => {
    const { as, ann, ben, account, recorded } = harness
    const { id } = await begin()
    const params = { id }
    expect((await as(ann).refusal(routes.endBreakGlass, { params })).code).toBe('forbidden')
    expect((await as(ben).refusal(routes.seenBreakGlass, { params })).code).toBe('break_glass_not_found')
    await as(ann).call(routes.seenBreakGlass, { params })
    expect((await as(ann).call(routes.breakGlass, {})).items).toMatchObject([{ seen: true, active: true }])
    const other = await account('other', 'admin')
    const notTheirs = { params, query: { type: 'chat' } } as const
    expect((await as(`admin:${other}`).refusal(routes.breakGlassThings, notTheirs)).code).toBe('break_glass_not_found')
    await as(`admin:${other}`).call(routes.endBreakGlass, { params })
    expect((await admin().refusal(testThings.chat, chat)).code).toBe('chat_not_found')
    expect((await admin().refusal(routes.breakGlassThings, notTheirs)).code).toBe('break_glass_not_found')
    expect((await admin().refusal(routes.endBreakGlass, { params })).code).toBe('break_glass_not_found')
    expect(await recorded()).toContain(`break-glass.end account ${ann}`)
  })
})
