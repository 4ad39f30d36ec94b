import { accountsRoutes } from '@atrium/contract/accounts'
import { type ImportLine, userAdministrationRoutes as routes } from '@atrium/contract/user-administration'
import { afterEach, expect, test } from 'vitest'
import { withDatabase } from '../../testing/databases.ts'
import { openPeople } from '../../testing/people.ts'

const stops: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

withDatabase('many people at once', (open) => {
  const settled = async () => {
    const harness = await openPeople(open)
    stops.push(harness.stop)
    const run = (
      people: readonly Partial<ImportLine>[],
      more: { as?: 'accounts' | 'invitations'; send?: boolean; dryRun?: boolean } = {},
    ) =>
      harness.admin.call(routes.import, { body: Object.assign({ people: [...people], as: 'accounts' as const }, more) })
    const namesNow = async () =>
      (await harness.admin.call(routes.list, { query: { sort: 'oldest' } })).items.map(({ username }) => username)
    return { ...harness, run, namesNow }
  }

  test('are looked at first, and nothing is made', async () => {
    const { run, namesNow, make } = await settled()
    await make('cid', { email: 'cid@example.org' })
    const { items } = await run(
      [
        { username: 'ben', email: 'ben@example.org' },
        { username: 'BEN' },
        { username: 'cid' },
        { username: 'dora', email: 'CID@example.org' },
        { username: 'eve', groups: ['Nowhere'] },
        { username: 'раypal' },
      ],
      { dryRun: true },
    )
    expect(items.map(({ faults }) => faults.map(({ field, code }) => `${field} ${code}`))).toEqual([
      [],
      ['username repeated'],
      ['username taken'],
      ['email taken'],
      ['groups unknown'],
      ['username scripts'],
    ])
    expect(items.every(({ id, link }) => id === null && link === null)).toBe(true)
    expect(await namesNow()).toEqual(['ann', 'cid'])
  })

  test('become accounts with a link that sets a password; lines with faults are left out', async () => {
    const { run, namesNow, accounts, admin, guest } = await settled()
    const { id: groupId } = await accounts.groups.add('Team')
    const { items } = await run([
      { username: ' ben ', displayName: 'Ben Ode', email: 'ben@example.org', role: 'Admin', groups: ['team'] },
      { username: '' },
      { username: 'cid' },
    ])
    expect(items.map(({ faults }) => faults.length)).toEqual([0, 1, 0])
    expect(await namesNow()).toEqual(['ann', 'ben', 'cid'])
    const [ben] = items
    expect(await admin.call(routes.read, { params: { id: ben?.id ?? '' } })).toMatchObject({
      displayName: 'Ben Ode',
      email: 'ben@example.org',
      role: 'admin',
      status: 'active',
      groups: [{ id: groupId, name: 'Team' }],
    })
    const token = ben?.link?.split('#').at(-1) ?? ''
    expect(token).not.toBe('')
    expect(await guest.call(accountsRoutes.checkLink, { body: { token } })).toMatchObject({ purpose: 'reset' })
    // The same table again makes nobody twice.
    expect((await run([{ username: 'ben' }, { username: 'cid' }])).items.map(({ id }) => id)).toEqual([null, null])
  })

  test('become invitations, each with its link where no mail is sent', async () => {
    const { run, admin } = await settled()
    const people = [{ email: 'ben@example.org', role: 'user' }, { email: 'cid' }, {}]
    const { items } = await run(people, { as: 'invitations' })
    expect(items.map(({ faults }) => faults.map(({ code }) => code))).toEqual([[], ['invalid'], ['missing']])
    expect(items[0]).toMatchObject({ id: null, link: expect.stringContaining('#'), sent: false })
    expect((await admin.call(routes.invitations, {})).items).toMatchObject([{ email: 'ben@example.org', role: 'user' }])
    const send = { people, as: 'invitations' as const, send: true }
    expect((await admin.refusal(routes.import, { body: send })).code).toBe('mail_not_configured')
  })

  test('are for administrators alone, and at most 500', async () => {
    const { make, signIn, admin } = await settled()
    await make('ben')
    const ben = await signIn('ben')
    const body = { people: [{ username: 'cid' }], as: 'accounts' as const }
    expect((await ben.refusal(routes.import, { body })).status).toBe(403)
    const many = { people: Array.from({ length: 501 }, (_, i) => ({ username: `u${i}` })), as: 'accounts' as const }
    expect((await admin.refusal(routes.import, { body: many })).code).toBe('validation_failed')
  })

  test('go out as a table that no spreadsheet takes for formulas, and come in again', async () => {
    const { run, admin, accounts } = await settled()
    await accounts.groups.add('Team')
    await run([{ username: 'ben', displayName: '=HYPERLINK("http://x")', groups: ['Team'] }])
    const answer = await admin.answer(routes.exportPeople, { query: { sort: 'oldest' } })
    expect(answer.headers.get('content-disposition')).toContain('attachment')
    const [head, , ben] = (await answer.text()).split('\r\n')
    expect(head).toMatch(/^\uFEFF?username,display_name,email,role,groups,status,/)
    expect(ben).toMatch(/^ben,"'=HYPERLINK\(""http:\/\/x""\)",,user,Team,active,/)
    const other = await admin.answer(routes.exportPeople, { query: { q: 'ann' } })
    expect(await other.text()).not.toContain('ben')
  })
})
