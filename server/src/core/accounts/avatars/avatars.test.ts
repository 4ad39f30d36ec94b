import { accountsRoutes, mostAvatarBytes } from '@atrium/contract/accounts'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { afterEach, describe, expect, test } from 'vitest'
import { onBothDatabases } from '../../../testing/databases.ts'
import { openPeople } from '../../../testing/people.ts'
import { type AccountTables, systemActor } from '../index.ts'
import { readAvatar } from './rules.ts'

/** A PNG of this size, as far as anybody here looks, with a comment in it. */
const png = (side: number, filling = 0): Buffer => {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const sides = Buffer.alloc(8)
  sides.writeUInt32BE(side, 0)
  sides.writeUInt32BE(side, 4)
  const chunk = (kind: string, inside: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(inside.length)
    return Buffer.concat([length, Buffer.from(kind), inside, Buffer.alloc(4)])
  }
  const rest = Buffer.concat([Buffer.from('0806000000', 'hex'), Buffer.alloc(4)])
  const parts = [head, sides, rest, chunk('tEXt', Buffer.from('taken at home')), chunk('IDAT', Buffer.alloc(filling))]
  return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))])
}
const url = (bytes: Uint8Array, type = 'image/png') => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`

describe('what may be a picture', () => {
  test('is told by its bytes, whatever it is called', () => {
    expect(readAvatar(url(png(256), 'image/jpeg'))?.mediaType).toBe('image/png')
  })

  test('what is told about it is taken out', () => {
    expect(Buffer.from(readAvatar(url(png(256)))?.bytes ?? []).toString('latin1')).not.toContain('taken at home')
  })

  test.each([
    ['no data URL', 'https://example.org/me.png'],
    ['text that is no Base64', 'data:image/png;base64,***'],
    ['a drawing that can run', url(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml')],
    ['a page', url(Buffer.from('<script>1</script>'), 'text/html')],
    ['a film', url(Buffer.from('GIF89a0101000000000000'), 'image/gif')],
    ['a small file that says it is enormous', url(png(50_000))],
    ['one that is wider than the most', url(png(513))],
    ['one with too many bytes', url(png(256, mostAvatarBytes))],
    ['one that is cut short', url(png(256).subarray(0, 12))],
  ])('%s is none', (_name, text) => {
    expect(readAvatar(text)).toBeNull()
  })
})

onBothDatabases('pictures of people', (open) => {
  const stops: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
  })
  const settled = async () => {
    const people = await openPeople(open)
    stops.push(people.stop)
    const ben = await people.make('ben')
    const client = await people.signIn('ben')
    const set = (avatar: string | null) => client.call(accountsRoutes.setAvatar, { body: { avatar } })
    const named = async () => (await people.accounts.accountNames.named([ben.id])).get(ben.id)
    return { ...people, ben, client, set, named }
  }
  const picture = url(png(256))

  test('everybody who signed in sees it, under an address that browsers may keep, and nobody else', async () => {
    const { admin, guest, set, named, ben, accounts } = await settled()
    const { avatar } = await set(picture)
    expect(avatar).toMatch(/^\/api\/users\/avatars\/[0-9a-f]{32}$/)
    expect((await admin.call(userAdministrationRoutes.read, { params: { id: ben.id } })).avatar).toBe(avatar)
    expect((await named())?.avatar).toBe(avatar)
    expect((await accounts.accountNames.search('be', 5, ''))[0]?.avatar).toBe(avatar)
    const shown = await admin.raw(avatar ?? '')
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    expect(Buffer.from(await shown.arrayBuffer()).toString('latin1')).toMatch(/^\x89PNG/)
    expect((await guest.raw(avatar ?? '')).status).toBe(401)
  })

  test('another one has another address, and the one before is gone', async () => {
    const { client, set } = await settled()
    const before = (await set(picture)).avatar ?? ''
    const after = (await set(url(png(128)))).avatar ?? ''
    expect(after).not.toBe(before)
    expect((await client.raw(before)).status).toBe(404)
    expect((await client.raw(after)).status).toBe(200)
    expect((await set(null)).avatar).toBeNull()
    expect((await client.raw(after)).status).toBe(404)
  })

  test('the same picture of two people does not show that it is the same', async () => {
    const { set, admin } = await settled()
    const other = await admin.call(accountsRoutes.setAvatar, { body: { avatar: picture } })
    expect((await set(picture)).avatar).not.toBe(other.avatar)
  })

  test('it lies sealed on the disk', async () => {
    const { set, database, ben } = await settled()
    await set(picture)
    const { picture: sealed } = await database
      .tables<AccountTables>()
      .selectFrom('account_avatars')
      .select('picture')
      .where('account_id', '=', ben.id)
      .executeTakeFirstOrThrow()
    expect(Buffer.from(sealed).includes('PNG')).toBe(false)
  })

  test('what is none changes nothing', async () => {
    const { client, set, named } = await settled()
    const { avatar } = await set(picture)
    expect(await client.refusal(accountsRoutes.setAvatar, { body: { avatar: url(png(9000)) } })).toMatchObject({
      status: 422,
      code: 'avatar_unsupported',
    })
    const long = `data:image/png;base64,${'A'.repeat(2 * mostAvatarBytes)}`
    expect((await client.refusal(accountsRoutes.setAvatar, { body: { avatar: long } })).code).toBe('validation_failed')
    expect((await named())?.avatar).toBe(avatar)
  })

  test('an administrator takes one away, and the audit says so', async () => {
    const { admin, set, named, ben, database } = await settled()
    await set(picture)
    const changed = await admin.call(userAdministrationRoutes.update, {
      params: { id: ben.id },
      body: { avatar: null },
    })
    expect(changed.avatar).toBeNull()
    expect((await named())?.avatar).toBeNull()
    const written = await database
      .tables<{ audit_events: { action: string; target_id: string | null } }>()
      .selectFrom('audit_events')
      .select('target_id')
      .where('action', '=', 'user.update')
      .execute()
    expect(written).toEqual([{ target_id: ben.id }])
  })

  test('it goes with its account, at once', async () => {
    const { accounts, admin, set, ben } = await settled()
    const { avatar } = await set(picture)
    await accounts.removals.begin(ben.id, systemActor)
    expect((await admin.raw(avatar ?? '')).status).toBe(404)
    await accounts.removals.finish(ben.id)
    expect((await admin.raw(avatar ?? '')).status).toBe(404)
  })
})
