/** Accounts, an OpenID provider and a browser, wired together, for tests of external sign-in. */
import { randomBytes } from 'node:crypto'
import { accountsRoutes } from '@atrium/contract/accounts'
import type { GivenBody } from '@atrium/contract/route'
import { signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import type { OAuthOptions } from '../core/sign-in-providers/index.ts'
import { createLog } from '../platform/log/log.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import { openVault } from '../platform/vault/vault.ts'
import { createTestAccounts, testAccountMigrations } from './accounts.ts'
import { type Browser, createBrowser } from './browser.ts'
import type { Client } from './client.ts'
import { testClock } from './clock.ts'
import type { Open } from './databases.ts'
import { startOpenidProvider } from './openid-provider.ts'
import { serveAccounts } from './serve-accounts.ts'
import { signedIn } from './sign-in.ts'

export const password = 'correct horse battery'

type NewProvider = GivenBody<typeof signInProvidersRoutes.addIdentityProvider>

export type ExternalHarness = Awaited<ReturnType<typeof openExternalHarness>>

/** A harness with Ann, its administrator, and a provider next door that is allowed to be called. */
export const openExternalHarness = async (
  open: Open,
  options: { places?: OAuthOptions['places']; environment?: OAuthOptions['environment'] } = {},
) => {
  const clock = testClock(Date.now())
  const database = await open([...testAccountMigrations])
  const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
  const openid = await startOpenidProvider()
  const allowed = new Set([openid.place])
  const lines: string[] = []
  const log = createLog({ level: 'debug', write: (line) => void lines.push(line) })
  const outbound = createOutbound({ allowed: () => allowed, log })
  let signupEnabled = false
  const accounts = createTestAccounts({
    database,
    vault,
    clock,
    log,
    signupEnabled: async () => signupEnabled,
    oauth: {
      environment: options.environment ?? [],
      outbound,
      allowedAddresses: async () => allowed,
      allowAddress: async (place) => ({
        write: async () => undefined,
        written: async () => void allowed.add(place),
      }),
      places: options.places,
    },
  })
  const served = await serveAccounts(accounts, {
    clock,
    requireFresh: accounts.requireFresh,
  })
  const { guest } = served
  const ann = await accounts.createAccount({ username: 'ann', password, email: 'ann@example.org', role: 'admin' })
  const callback = (id: string) => `${guest.baseUrl}/api/auth/oauth/${id}/callback`
  openid.register([callback('corp'), callback('oidc'), callback('other')])

  const signIn = async (username: string): Promise<Client> => {
    const answer = signedIn(await guest.call(accountsRoutes.login, { body: { username, password } }))
    return guest.as(answer.token)
  }
  const admin = await signIn('ann')
  const corp = (more: Partial<NewProvider> = {}): NewProvider => ({
    id: 'corp',
    kind: 'oidc',
    name: 'Corp',
    issuerUrl: openid.issuer,
    clientId: openid.clientId,
    clientSecret: openid.clientSecret,
    signUp: 'active',
    ...more,
  })

  return {
    clock,
    database,
    vault,
    openid,
    accounts,
    guest,
    ann,
    admin,
    allowed,
    outbound,
    corp,
    signIn,
    lines: () => [...lines, ...served.lines].join(''),
    openSignUp: () => {
      signupEnabled = true
    },
    /** Adds the provider of next door. */
    addCorp: (more: Partial<NewProvider> = {}) =>
      admin.call(signInProvidersRoutes.addIdentityProvider, { body: corp(more) }),
    browser: (): Browser => createBrowser(guest.baseUrl),
    /** The whole way: to the provider, back, and the session at the end. */
    async enter(browser: Browser, id = 'corp'): Promise<{ page: URL; client: Client | null; answer: unknown }> {
      const page = await browser.visit(`/api/auth/oauth/${id}`)
      if (page.searchParams.get('auth') !== 'success') return { page, client: null, answer: null }
      const response = await browser.fetch('/api/auth/oauth/exchange', { method: 'POST' })
      const answer = (await response.json()) as { token?: string }
      return { page, client: answer.token === undefined ? null : guest.as(answer.token), answer }
    },
    async stop() {
      await served.stop()
      await outbound.close()
      await openid.close()
    },
  }
}

/** The reasons of failed sign-ins, as the audit has them. */
export const reasonsIn = async ({
  database,
  vault,
}: Pick<ExternalHarness, 'database' | 'vault'>): Promise<string[]> => {
  const keyring = await vault.keyring(null)
  const rows = await database
    .tables<{ audit_events: { seq: number; id: string; result: string; body: Uint8Array } }>()
    .selectFrom('audit_events')
    .selectAll()
    .where('result', '!=', 'success')
    .orderBy('seq')
    .execute()
  return rows.flatMap((row) => {
    const { details } = JSON.parse(keyring.open('audit_events.body', row.id, row.body)) as {
      details: { reason?: string } | null
    }
    return details?.reason ? [details.reason] : []
  })
}
