/** A harness of accounts alone, with an administrator signed in, for the tests of what administrators do to accounts. */
import { randomBytes } from 'node:crypto'
import { accountsRoutes } from '@atrium/contract/accounts'
import type { AccountEvent } from '@atrium/contract/system'
import { createUserAdministration } from '../features/user-administration/index.ts'
import { createAudit } from '../platform/audit/index.ts'
import type { Database, Migration } from '../platform/db/types.ts'
import { createLog } from '../platform/log/log.ts'
import { openVault } from '../platform/vault/vault.ts'
import { createTestAccounts, testAccountMigrations } from './accounts.ts'
import { testClock } from './clock.ts'
import { openFeatures } from './features.ts'
import { serveAccounts } from './serve-accounts.ts'
import { signedIn } from './sign-in.ts'

/** Accounts that keep nothing and cost nothing. */
export const noUse = {
  storedBy: async () => new Map<string, number>(),
  spentBy: async () => ({ currency: 'USD', amounts: new Map<string, string>() }),
  ownBudgets: async () => ({ currency: 'USD', items: [] }),
  features: openFeatures,
  listModels: async () => ({ items: [], providers: [], fallback: null }),
  storageQuota: async () => 0,
}

export const peoplePassword = 'correct horse battery'

/** Ann is administrator and signed in. Call `stop` at the end. */
export const openPeople = async (open: (migrations: Migration[]) => Promise<Database>) => {
  const clock = testClock()
  const database = await open([...testAccountMigrations])
  const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
  const audit = createAudit({ database, vault, clock })
  const news: { accountId: string; event: AccountEvent }[] = []
  const accounts = createTestAccounts({
    database,
    vault,
    clock,
    audit,
    log: createLog({ level: 'silent' }),
    announce: async (accountId, event) => void news.push({ accountId, event }),
  })
  const { guest, stop } = await serveAccounts(accounts, {
    areas: [...accounts.areas, createUserAdministration({ ...accounts, ...noUse, accounts, audit })],
    clock,
  })
  const signUp = async (username: string) => {
    clock.advance(1)
    const answer = await guest.call(accountsRoutes.signup, { body: { username, password: peoplePassword } })
    if (!('user' in answer)) throw new Error('nobody asked for a second factor')
    return { user: answer.user, client: guest.as('token' in answer ? answer.token : undefined) }
  }
  const signIn = async (username: string) => {
    const body = { username, password: peoplePassword }
    return guest.as(signedIn(await guest.call(accountsRoutes.login, { body })).token)
  }
  /** One more active account. */
  const make = async (username: string, more: { role?: 'admin' | 'user'; email?: string } = {}) => {
    clock.advance(1)
    return await accounts.createAccount({ username, password: peoplePassword, ...more })
  }
  const { user: ann, client: admin } = await signUp('ann')
  return {
    clock,
    database,
    vault,
    accounts,
    audit,
    guest,
    news,
    signUp,
    signIn,
    make,
    ann,
    admin,
    stop,
  }
}
