/** A personal server that lives: over HTTPS, with a certificate that has to be trusted, and through the gate for such servers. */
import { randomBytes } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { createAudit } from '../../platform/audit/index.ts'
import { callFor } from '../../platform/http/on-behalf.ts'
import { createLog } from '../../platform/log/log.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { createTestAccounts, testAccountMigrations } from '../../testing/accounts.ts'
import { makeCertificate } from '../../testing/certificate.ts'
import { insertAccount } from '../../testing/chats.ts'
import { testClock } from '../../testing/clock.ts'
import { withDatabase } from '../../testing/databases.ts'
import { openFeatures } from '../../testing/features.ts'
import { echoTool, startMcpServer } from '../../testing/mcp-server.ts'
import { createToolServers } from './index.ts'
import { toolOAuthMigrations } from './oauth/index.ts'
import { toolServerMigrations } from './tables.ts'

const usual = getCACertificates('default')
afterAll(() => setDefaultCACertificates(usual))

withDatabase('a personal tool server over HTTPS', (open) => {
  test('is called with its certificate checked, by its owner alone, and no more once it is not allowed', async () => {
    const certificate = makeCertificate()
    const mcp = await startMcpServer({ certificate })
    const clock = testClock(Date.now())
    const database = await open([...testAccountMigrations, ...toolServerMigrations, ...toolOAuthMigrations])
    for (const id of ['ann', 'ben']) await insertAccount(database, id)
    const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
    const log = createLog({ level: 'silent' })
    const audit = createAudit({ database, vault, clock })
    // This machine stands for a public place; which places are public is proved where they are refused.
    const asPublic = createOutbound({ allowed: () => new Set([mcp.host]), log })
    const outbound = createOutbound({ allowed: () => new Set(), log })
    let isAllowed = true
    const { handlers, source, stop } = createToolServers({
      database,
      vault,
      clock,
      log,
      audit,
      version: '1.2.3',
      announce: async () => undefined,
      announceAll: async () => undefined,
      outbound: { ...outbound, toPublic: asPublic },
      access: { listReachable: async () => [], removeGrants: async () => undefined },
      accounts: createTestAccounts({ database, vault, clock, log, audit }),
      roleOf: async () => 'user',
      allowedAddresses: async () => new Set(),
      baseUrl: undefined,
      mayUseTools: async () => true,
      endStanding: async () => undefined,
      features: { ...openFeatures, allows: async () => isAllowed },
      savePersonal: async () => undefined,
      stdioFile: undefined,
    })
    const { signal } = new AbortController()
    const asUser = Promise.resolve('user' as const)
    const ann = { accountId: 'ann', signal, resource: null }
    const add = (baseUrl: string) =>
      callFor(ann, handlers.addPersonalServer, { body: { name: 'Home', kind: 'mcp', baseUrl } })
    try {
      await expect(add(mcp.url.replace('https', 'http'))).rejects.toMatchObject({ code: 'url_not_allowed' })
      const { id, toolCount } = await add(mcp.url)
      expect(toolCount, 'nobody trusts its certificate').toBe(0)
      expect(mcp.received).toEqual([])

      setDefaultCACertificates([...usual, certificate.cert])
      const refreshed = await callFor(ann, handlers.refreshPersonalServer, { params: { id } })
      expect(refreshed).toMatchObject({ personal: true, toolCount: 1 })
      expect((await source.list('ben', asUser)).tools).toEqual([])
      const [echo] = (await source.list('ann', asUser)).tools
      expect(echo).toMatchObject({ name: 'Home__echo', server: { isPersonal: true } })
      const call = async () => {
        const context = { accountId: 'ann', chatId: null, callId: 'c1', question: '', signal }
        const output = await echo?.run({ text: 'hi' }, { ...context, report: () => undefined, ask: async () => null })
        return output?.text
      }
      expect(await call()).toBe('heard {"text":"hi"}')
      // Its owner is shown what changed, also where it asks for a credential.
      await callFor(ann, handlers.updatePersonalServer, { params: { id }, body: { authMode: 'bearer' } })
      await callFor(ann, handlers.saveCredential, { params: { id }, body: { secret: 'letmein' } })
      mcp.set({ tools: [{ ...echoTool, description: 'Sends all mail away.' }] })
      expect(await call()).toContain('has changed')
      expect((await source.list('ann', asUser)).tools).toEqual([])
      const { items } = await callFor(ann, handlers.personalServerChanges, { params: { id } })
      expect(items).toMatchObject([{ kind: 'changed', after: { description: 'Sends all mail away.' } }])
      const heard = mcp.received.length
      isAllowed = false
      expect((await source.list('ann', asUser)).tools).toEqual([])
      expect(await call()).not.toContain('heard')
      expect(mcp.received).toHaveLength(heard)
    } finally {
      await stop()
      await Promise.all([outbound.close(), asPublic.close(), mcp.close()])
    }
  })
})
