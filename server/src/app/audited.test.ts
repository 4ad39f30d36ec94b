/** Every act of an administrator is in the audit: by the contract, or by its handler, which is called here. */
import { accessRoutes } from '@atrium/contract/access'
import { accountDataRoutes } from '@atrium/contract/account-data'
import { accountsRoutes } from '@atrium/contract/accounts'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { auditRoutes } from '@atrium/contract/audit'
import { brandingRoutes } from '@atrium/contract/branding'
import { connectionsRoutes } from '@atrium/contract/connections'
import { documentsRoutes } from '@atrium/contract/documents'
import { groupsRoutes } from '@atrium/contract/groups'
import type { Route } from '@atrium/contract/route'
import { scimRoutes } from '@atrium/contract/scim'
import { signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { toolServersRoutes, toolSignInRoutes } from '@atrium/contract/tool-servers'
import { transfersRoutes } from '@atrium/contract/transfers'
import { invitationRoutes, userAdministrationRoutes } from '@atrium/contract/user-administration'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routesByTag } from './areas.ts'
import { type TestApp, startTestApp, testPassword } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { ldapPerson, ldapService, ldapSettings, startLdap, type TestLdap } from '../testing/ldap-server.ts'
import { echoTool, type McpServer, startMcpServer } from '../testing/mcp-server.ts'
import { unauditedRoutes } from '../testing/route-lists.ts'

const acts = Object.entries(routesByTag).flatMap(([area, table]) =>
  Object.entries(table)
    .filter(([, { access, method }]) => access === 'admin' && method !== 'get')
    .map(([name, route]) => ({ label: `${area}.${name}`, route })),
)

describe('what administrators do', () => {
  let app: TestApp
  let admin: Client
  let ldap: TestLdap
  let mcp: McpServer
  beforeAll(async () => {
    mcp = await startMcpServer()
    app = await startTestApp({ env: { OUTBOUND_ALLOW: mcp.host } })
    admin = await app.signUpAdmin()
    ldap = await startLdap()
    ldap.entries = [ldapPerson('ann')]
  })
  afterAll(async () => {
    await app?.close()
    await ldap?.close()
    await mcp?.close()
  })

  test('is in the audit by its contract, by its handler, or stands on the list with its reason', async () => {
    const done = new Set<string>()
    /** Does it, and looks for an entry of this very request. */
    const act = async <R extends Route>(route: R, call: Parameters<typeof admin.call<R>>[1]) => {
      const { label } = acts.find((each) => each.route === (route as Route)) ?? { label: route.path }
      const response = await admin.answer(route, call as never)
      const answer = (await response.json()) as never
      expect(response.status, `${label} ${JSON.stringify(answer)}`).toBeLessThan(300)
      const { items } = await admin.call(auditRoutes.list, { query: { limit: 50 } })
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

    const made = await act(userAdministrationRoutes.create, { body: { username: 'ben', role: 'user' } })
    const ben = { params: { id: made.id } }
    await act(userAdministrationRoutes.update, { ...ben, body: { displayName: 'Ben' } })
    await act(userAdministrationRoutes.setStatus, { ...ben, body: { status: 'disabled' } })
    await act(userAdministrationRoutes.bulk, { body: { ids: [made.id], action: 'enable' } })
    await act(invitationRoutes.passwordLink, ben)
    await act(accountDataRoutes.schedule, { ...ben, body: { inDays: 40 } })
    await act(accountDataRoutes.callOff, ben)
    await act(accountDataRoutes.export, ben)
    const waiting = async (username: string) => {
      await app.signUpPending(username)
      const { items } = await admin.call(userAdministrationRoutes.list, { query: { limit: 200 } })
      return { params: { id: items.find((user) => user.username === username)?.id ?? '' } }
    }
    const baseUrl = mcp.url
    const server = await act(toolServersRoutes.addServer, { body: { name: 'Weather', kind: 'mcp', baseUrl } })
    const atServer = { params: { id: server.id } }
    await act(toolServersRoutes.updateServer, { ...atServer, body: { enabled: true } })
    const tool = { params: { id: server.id, toolName: 'echo' } }
    await act(toolServersRoutes.updateTool, { ...tool, body: { sideEffect: false } })
    mcp.set({ tools: [{ ...echoTool, name: 'other' }] })
    await act(toolServersRoutes.refreshServer, atServer)
    const { digest } = await admin.call(toolServersRoutes.serverChanges, atServer)
    await act(toolServersRoutes.acceptChanges, { ...atServer, body: { digest } })
    await act(toolSignInRoutes.saveToolOAuthClient, { ...atServer, body: { clientId: 'atrium' } })
    await act(toolSignInRoutes.removeToolOAuthClient, atServer)
    await act(toolServersRoutes.removeServer, atServer)
    const document = JSON.stringify({ openapi: '3.1.0', paths: { '/pets': { get: {} } } })
    const pets = await act(toolServersRoutes.addServer, { body: { name: 'Pets', kind: 'openapi', baseUrl, document } })
    await act(toolServersRoutes.updateDocument, { params: { id: pets.id }, body: { document } })
    await act(userAdministrationRoutes.approve, await waiting('fay'))
    await act(userAdministrationRoutes.reject, await waiting('gus'))

    const user = await app.signUpUser('ida')
    const ida = { id: (await user.call(accountsRoutes.me, {})).id }
    const code = await user.call(apiTokensRoutes.createToken, { body: { name: 'x', scopes: ['chat:read'] } })
    await act(userAdministrationRoutes.revokeToken, { params: { ...ida, tokenId: code.record.id } })
    const { items: sessions } = await admin.call(userAdministrationRoutes.sessions, { params: ida })
    await act(userAdministrationRoutes.endSession, { params: { ...ida, sessionId: sessions[0]?.id ?? '' } })
    await act(userAdministrationRoutes.resetMfa, { params: ida })
    await act(accountDataRoutes.remove, { params: ida })

    const uma = await app.signUpUser('uma')
    const { id: resourceId } = await uma.call(documentsRoutes.createCollection, { body: { name: 'Trips' } })
    const grant = { resourceType: 'collection', resourceId, principalType: 'account', principalId: made.id } as const
    await uma.call(accessRoutes.grant, { body: grant })
    const owner = { params: { id: (await uma.call(accountsRoutes.me, {})).id } }
    await act(transfersRoutes.offerOf, { ...owner, body: { toAccountId: made.id } })
    await act(transfersRoutes.endOf, owner)

    const group = await act(groupsRoutes.addGroup, { body: { name: 'Desk' } })
    const members = { params: { id: group.id, accountId: made.id } }
    await act(groupsRoutes.renameGroup, { params: { id: group.id }, body: { name: 'Staff' } })
    await act(groupsRoutes.addMember, members)
    await act(groupsRoutes.removeMember, members)
    await act(groupsRoutes.removeGroup, { params: { id: group.id } })
    const invited = await act(invitationRoutes.invite, { body: {} })
    await act(invitationRoutes.revokeInvitation, { params: { id: invited.invitation.id } })

    const token = await act(scimRoutes.createToken, { body: { name: 'Directory' } })
    const rotated = await act(scimRoutes.rotateToken, { params: { id: token.record.id } })
    await act(scimRoutes.revokeToken, { params: { id: rotated.record.id } })
    const github = { id: 'github', kind: 'github' as const, name: 'GitHub', issuerUrl: null, clientId: 'a' }
    await act(signInProvidersRoutes.addIdentityProvider, { body: { ...github, clientSecret: 'b' } })
    await act(signInProvidersRoutes.updateIdentityProvider, { params: { id: 'github' }, body: { name: 'Git' } })
    await act(signInProvidersRoutes.removeIdentityProvider, { params: { id: 'github' } })
    await act(accountsRoutes.updateSessionPolicy, { body: { idleHours: 100 } })
    await act(accountsRoutes.revealEncryptionKey, { body: { password: testPassword } })
    const { hasPassword: _, ...settings } = ldapSettings(ldap)
    await act(signInProvidersRoutes.updateLdap, { body: { ...settings, password: ldapService.password } })
    const { params } = await person('lee')
    await act(signInProvidersRoutes.linkLdapAccount, { params, body: { username: 'ann' } })
    await act(signInProvidersRoutes.unlinkLdapAccount, { params })
    const banner = await act(brandingRoutes.createBanner, { body: { text: 'Maintenance tonight' } })
    await act(brandingRoutes.updateBanner, { params: { id: banner.id }, body: { text: 'Maintenance is over' } })
    await act(brandingRoutes.deleteBanner, { params: { id: banner.id } })
    await act(userAdministrationRoutes.import, { body: { people: [{ username: 'nia' }], as: 'accounts' } })
    const body = {
      id: 'box',
      name: 'Box',
      type: 'completion' as const,
      endpoint: 'https://box.example/v1/chat/completions',
      auth: { header: '', key_env: '' },
      model_map: ['m'],
    }
    await admin.call(connectionsRoutes.installPlugin, { body })
    const box = { params: { id: 'box' } }
    await act(connectionsRoutes.updateConnection, { ...box, body: { name: 'The box' } })
    await act(connectionsRoutes.saveSharing, { ...box, body: { mode: 'private' } })
    const groq = { params: { id: 'groq' } }
    await act(connectionsRoutes.saveSharedKey, { ...groq, body: { apiKey: 'sk-for-everybody' } })
    await act(connectionsRoutes.removeSharedKey, groq)
    const look = await act(accessRoutes.startBreakGlass, {
      body: { accountId: made.id, reason: 'Asked for help with a chat', hours: 1, password: testPassword },
    })
    await act(accessRoutes.endBreakGlass, { params: { id: look.id } })
    await act(accountsRoutes.setMfaPolicy, { body: { mode: 'required' } })

    const byContract = acts.filter(({ route }) => route.audit !== undefined).map(({ label }) => label)
    const listed = Object.keys(unauditedRoutes)
    const places = [...done, ...byContract, ...listed]
    expect(new Set(places)).toEqual(new Set(acts.map(({ label }) => label)))
    expect(places, 'each has one place').toHaveLength(acts.length)
  })
})
