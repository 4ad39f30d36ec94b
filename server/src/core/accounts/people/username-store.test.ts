import { accountsRoutes } from '@atrium/contract/accounts'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { afterEach, expect, test } from 'vitest'
import { onBothDatabases } from '../../../testing/databases.ts'
import { openPeople, peoplePassword as password } from '../../../testing/people.ts'
import type { AccountTables } from '../tables.ts'

const taken = { status: 409, code: 'username_taken' }
const mixed = { status: 400, code: 'username_scripts' }

onBothDatabases('names of accounts', (open) => {
  const stops: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
  })
  const settled = async () => {
    const harness = await openPeople(open)
    stops.push(harness.stop)
    const refused = (username: string) => harness.guest.refusal(accountsRoutes.signup, { body: { username, password } })
    const tables = () => harness.database.tables<AccountTables>()
    const skeletonsOf = async (id: string) =>
      (await tables().selectFrom('account_name_skeletons').select('skeleton').where('account_id', '=', id).execute())
        .length
    return { ...harness, refused, tables, skeletonsOf }
  }

  test('nobody signs up with a name that looks like one that is taken, or that mixes scripts', async () => {
    const { make, refused, signUp } = await settled()
    for (const username of ['alice', 'bob', 'coco']) await make(username)
    for (const username of ['alıce', 'ALİCE', 'a1ice', 'AIice', 'b0b', 'сосо', 'ALICE'])
      expect(await refused(username), username).toMatchObject(taken)
    for (const username of ['аlice', 'bοb', 'Αnna']) expect(await refused(username), username).toMatchObject(mixed)
    expect(JSON.stringify(await refused('a1ice'))).toContain('looks like')
    for (const username of ['alicia', 'мила', '鈴木ゆい', 'ليلى']) await signUp(username)
  })

  test('of look-alikes that come at the same moment one gets the name', async () => {
    const { guest } = await settled()
    const names = ['dali', 'da1i', 'dalı', 'daIi', 'DALİ', 'dali']
    const answers = await Promise.all(
      names.map((username) => guest.answer(accountsRoutes.signup, { body: { username, password } })),
    )
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      202, 409, 409, 409, 409, 409,
    ])
  })

  test('nobody is renamed into a look-alike, not in a race either; capitals and the own name are free', async () => {
    const { make, signIn, admin } = await settled()
    const [ben, cid] = [await make('ben'), await make('cid')]
    const own = await signIn('ben')
    const rename = (username: string) => own.call(accountsRoutes.updateMe, { body: { username } })
    const refusal = (username: string) => own.refusal(accountsRoutes.updateMe, { body: { username } })
    expect(await refusal('cıd')).toMatchObject(taken)
    expect(await refusal('сid')).toMatchObject(mixed)
    for (const name of ['BEN', 'Ben', 'bill', 'BiII', 'bill'])
      expect(await rename(name)).toMatchObject({ username: name })
    const byAdmin = (id: string, username: string) =>
      admin.refusal(userAdministrationRoutes.update, { params: { id }, body: { username } })
    expect(await byAdmin(cid.id, 'bi1l')).toMatchObject(taken)
    expect(await byAdmin(cid.id, 'cіd')).toMatchObject(mixed)
    const create = (username: string) => admin.refusal(userAdministrationRoutes.create, { body: { username } })
    expect(await create('bi11')).toMatchObject(taken)
    expect(await create('cіd')).toMatchObject(mixed)
    // The name of before is free for others.
    await make('Bеn')
    const answers = await Promise.all(
      [
        [ben.id, 'zoe1'],
        [cid.id, 'zoel'],
      ].map(([id = '', username]) =>
        admin.answer(userAdministrationRoutes.update, { params: { id }, body: { username } }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
  })

  test('the name of an account that is deleted is free for look-alikes as well', async () => {
    const { accounts, make, refused, signUp, clock } = await settled()
    const { id } = await make('alice')
    expect(await refused('alıce')).toMatchObject(taken)
    await accounts.removals.begin(id, { actor: { kind: 'system', accountId: null } })
    await signUp('alıce')
    clock.advance(1)
    await accounts.removals.finish(id)
    expect(await refused('alice')).toMatchObject(taken)
  })

  test('accounts of earlier versions get what their names are known by; where two look alike already, both stay', async () => {
    const { accounts, make, tables, refused, signIn, skeletonsOf, admin } = await settled()
    const alice = await make('alice')
    // As an earlier version made them: nothing was known of what a name looks like.
    const forget = () => tables().deleteFrom('account_name_skeletons').execute()
    await forget()
    const other = await make('alıce')
    await forget()
    const broken = await make('broken')
    await forget()
    await tables()
      .updateTable('accounts')
      .set({ username: Buffer.from('?') })
      .where('id', '=', broken.id)
      .execute()
    await Promise.all([accounts.begin(), accounts.begin()])
    await accounts.begin()
    expect(await Promise.all([alice.id, other.id, broken.id].map(skeletonsOf))).toEqual([1, 0, 0])
    expect(await refused('a1ice')).toMatchObject(taken)
    const client = await signIn('alıce')
    // Whatever else is changed, the name that was there may stay.
    const body = { username: 'alıce', displayName: 'Alice the second' }
    expect(await client.call(accountsRoutes.updateMe, { body })).toMatchObject(body)
    expect(
      await admin.call(userAdministrationRoutes.update, { params: { id: other.id }, body: { username: 'alıce' } }),
    ).toMatchObject({ username: 'alıce' })
    await accounts.removals.begin(alice.id, { actor: { kind: 'system', accountId: null } })
    await accounts.begin()
    expect(await skeletonsOf(other.id)).toBe(1)
  })

  test('the database itself refuses that two accounts have one skeleton', async () => {
    const { make, tables } = await settled()
    const [ben, cid] = [await make('ben'), await make('cid')]
    const { skeleton } = await tables()
      .selectFrom('account_name_skeletons')
      .select('skeleton')
      .where('account_id', '=', ben.id)
      .executeTakeFirstOrThrow()
    await expect(
      tables().insertInto('account_name_skeletons').values({ skeleton, account_id: cid.id }).execute(),
    ).rejects.toThrow(/unique|duplicate/i)
  })
})
