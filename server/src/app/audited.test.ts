/** Every act of an administrator is in the audit: by the contract, or by its handler, which is called here. */
import { accessControl } from '@atrium/contract/access-control'
import { accountData } from '@atrium/contract/account-data'
import { audit } from '@atrium/contract/audit'
import { authentication } from '@atrium/contract/authentication'
import { areas } from '@atrium/contract/index'
import type { Route, RouteTable } from '@atrium/contract/route'
import { scim } from '@atrium/contract/scim'
import { userAdministration } from '@atrium/contract/user-administration'
import { invitations } from '@atrium/contract/invitations'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp, testPassword } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { ldapPerson, ldapService, ldapSettings, startLdap, type TestLdap } from '../testing/ldap-server.ts'
import { unauditedRoutes } from '../testing/route-lists.ts'

const acts = Object.entries(areas as Record<string, RouteTable>).flatMap(([area, table]) =>
  Object.entries(table)
    .filter(([, { access, method }]) => access === 'admin' && method !== 'get')
    .map(([name, route]) => ({ label: `${area}.${name}`, route })),
)

describe('what administrators do', () => {
  let app: TestApp
  let admin: Client
  let ldap: TestLdap
  beforeAll(async () => {
    app = await startTestApp()
    admin = await app.signUpAdmin()
    ldap = await startLdap()
    ldap.entries = [ldapPerson('ann')]
  })
  afterAll(async () => {
    await app?.close()
    await ldap?.close()
  })

  test('is in the audit by its contract, by its handler, or stands on the list with its reason', async () => {
    const done = new Set<string>()
    /** Does it, and looks for an entry of this very request. */
    const act = async <R extends Route>(route: R, call: Parameters<typeof admin.call<R>>[1]) => {
      const { label } = acts.find((each) => each.route === (route as Route)) ?? { label: route.path }
      const response = await admin.answer(route, call as never)
      const answer = (await response.json()) as never
      expect(response.status, `${label} ${JSON.stringify(answer)}`).toBeLessThan(300)
      const { items } = await admin.call(audit.list, { query: { limit: 50 } })
      const mine = items.filter(({ requestId }) => requestId === response.headers.get('x-request-id'))
      expect(
        mine.map(({ result }) => result),
        label,
      ).toContain('success')
      done.add(label)
      return answer as Awaited<ReturnType<typeof admin.call<R>>>
    }
    const person = async (username: string) => {
      const { id } = await app.accounts.createAccount({ username, password: testPassword })
      return { id, params: { id } }
    }

    const made = await act(userAdministration.create, { body: { username: 'ben', role: 'user' } })
    const ben = { params: { id: made.id } }
    await act(userAdministration.update, { ...ben, body: { displayName: 'Ben' } })
    await act(userAdministration.setStatus, { ...ben, body: { status: 'disabled' } })
    await act(userAdministration.bulk, { body: { ids: [made.id], action: 'enable' } })
    await act(invitations.passwordLink, ben)
    await act(accountData.schedule, { ...ben, body: { inDays: 40 } })
    await act(accountData.callOff, ben)
    await act(accountData.export, ben)
    const waiting = async (username: string) => {
      await app.signUpPending(username)
      const { items } = await admin.call(userAdministration.list, { query: { limit: 200 } })
      return { params: { id: items.find((user) => user.username === username)?.id ?? '' } }
    }
    await act(userAdministration.approve, await waiting('fay'))
    await act(userAdministration.reject, await waiting('gus'))

    const user = await app.signUpUser('ida')
    const ida = { id: (await user.call(authentication.me, {})).id }
    const code = await user.call(authentication.createToken, { body: { name: 'x', scopes: ['chat:read'] } })
    await act(userAdministration.revokeToken, { params: { ...ida, tokenId: code.record.id } })
    const { items: sessions } = await admin.call(userAdministration.sessions, { params: ida })
    await act(userAdministration.endSession, { params: { ...ida, sessionId: sessions[0]?.id ?? '' } })
    await act(userAdministration.resetMfa, { params: ida })
    await act(accountData.remove, { params: ida })

    const group = await act(userAdministration.addGroup, { body: { name: 'Desk' } })
    const members = { params: { id: group.id, accountId: made.id } }
    await act(userAdministration.renameGroup, { params: { id: group.id }, body: { name: 'Staff' } })
    await act(userAdministration.addMember, members)
    await act(userAdministration.removeMember, members)
    await act(userAdministration.removeGroup, { params: { id: group.id } })
    const invited = await act(invitations.invite, { body: {} })
    await act(invitations.revokeInvitation, { params: { id: invited.invitation.id } })

    const token = await act(scim.createToken, { body: { name: 'Directory' } })
    const rotated = await act(scim.rotateToken, { params: { id: token.record.id } })
    await act(scim.revokeToken, { params: { id: rotated.record.id } })
    const github = { id: 'github', kind: 'github' as const, name: 'GitHub', issuerUrl: null, clientId: 'a' }
    await act(authentication.addIdentityProvider, { body: { ...github, clientSecret: 'b' } })
    await act(authentication.updateIdentityProvider, { params: { id: 'github' }, body: { name: 'Git' } })
    await act(authentication.removeIdentityProvider, { params: { id: 'github' } })
    await act(authentication.updateSessionPolicy, { body: { idleHours: 100 } })
    await act(authentication.revealEncryptionKey, { body: { password: testPassword } })
    const { hasPassword: _, ...settings } = ldapSettings(ldap)
    await act(authentication.updateLdap, { body: { ...settings, password: ldapService.password } })
    const { params } = await person('lee')
    await act(authentication.linkLdapAccount, { params, body: { username: 'ann' } })
    await act(authentication.unlinkLdapAccount, { params })
    const look = await act(accessControl.startBreakGlass, {
      body: { accountId: made.id, reason: 'Asked for help with a chat', hours: 1, password: testPassword },
    })
    await act(accessControl.endBreakGlass, { params: { id: look.id } })
    await act(authentication.setMfaPolicy, { body: { mode: 'required' } })

    const byContract = acts.filter(({ route }) => route.audit !== undefined).map(({ label }) => label)
    const listed = Object.keys(unauditedRoutes)
    const places = [...done, ...byContract, ...listed]
    expect(new Set(places)).toEqual(new Set(acts.map(({ label }) => label)))
    expect(places, 'each has one place').toHaveLength(acts.length)
  })
})
