/** Accounts behind a real server, for the tests of second factors; several processes may share a database. */
import { randomBytes } from 'node:crypto'
import { type MfaRequired, accountsRoutes } from '@atrium/contract/accounts'
import type { LimitName } from '@atrium/contract/route'
import { afterEach } from 'vitest'
import { createLog } from '../platform/log/log.ts'
import type { RateRule } from '../platform/http/index.ts'
import { type OpenVault, openVault } from '../platform/vault/vault.ts'
import { type TestAccountDeps, createTestAccounts, testAccountMigrations } from './accounts.ts'
import type { Client } from './client.ts'
import { testClock } from './clock.ts'
import type { Open } from './databases.ts'
import { oneTimeCode } from './one-time-code.ts'
import { serveAccounts } from './serve-accounts.ts'
import { settingsInMemory } from './settings.ts'
import { signedIn } from './sign-in.ts'

export const password = 'correct horse battery'
export const clock = testClock()
export const stepMs = 30_000

const stops: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

interface Options {
  /** MFA_REQUIRED_MODE */
  mfaRequiredMode?: 'optional' | 'required'
  limits?: Partial<Record<LimitName, RateRule>>
  /** Without Ann. */
  empty?: boolean
}

/** A harness with Ann, its administrator, in one process; `another` starts a second one. */
export const openSecondFactorHarness = async (open: Open, options: Options = {}) => {
  const database = await open([...testAccountMigrations])
  const vault: OpenVault = await openVault({ database, instanceKey: randomBytes(32), clock })
  const saved = settingsInMemory({ database, vault, clock }, { MFA_REQUIRED_MODE: options.mfaRequiredMode })
  const lines: string[] = []
  const start = async (more: Partial<TestAccountDeps> = {}) => {
    const accounts = createTestAccounts({
      database,
      vault,
      clock,
      saved,
      baseUrl: new URL('https://chat.example.org'),
      log: createLog({ level: 'debug', write: (line) => void lines.push(line) }),
      ...more,
    })
    const served = await serveAccounts(accounts, {
      clock,
      ...(options.limits ? { limits: options.limits } : {}),
    })
    stops.push(served.stop)
    return { accounts, guest: served.guest }
  }
  const first = await start()
  if (!options.empty) await first.accounts.createAccount({ username: 'ann', password, role: 'admin' })
  return { ...first, database, vault, another: start, lines: () => lines.join('') }
}

/** Signs in with the password alone. */
export const enter = async (guest: Client, username = 'ann'): Promise<Client> =>
  guest.as(signedIn(await guest.call(accountsRoutes.login, { body: { username, password } })).token)

/** The challenge of a sign-in that asks for more. */
export const challenged = async (guest: Client, username = 'ann'): Promise<MfaRequired> => {
  const answer = await guest.call(accountsRoutes.login, { body: { username, password } })
  if (!('mfaRequired' in answer)) throw new Error('nothing more was asked for')
  return answer
}

/** The code that the app shows now. Time goes on by a step before, so that none is shown twice. */
export const nextCode = (secret: string): string => {
  clock.advance(stepMs)
  return oneTimeCode(secret, clock.now())
}

/** Tries ten wrong codes and then the right one; gives what each was refused with. */
export const tryTooOften = async (attempt: (code: string) => Promise<{ code: string }>, secret: string) => {
  const refusals: string[] = []
  for (const code of [...Array<string>(10).fill('000000'), nextCode(secret)]) refusals.push((await attempt(code)).code)
  return refusals
}
export const tenWrongThenOver = [...Array<string>(10).fill('wrong_code'), 'challenge_over']

/** Turns one-time codes on; gives their secret and the recovery codes. */
export const turnOn = async (client: Client): Promise<{ secret: string; recoveryCodes: string[] }> => {
  const { secret } = await client.call(accountsRoutes.enrollMfa, {})
  const { recoveryCodes } = await client.call(accountsRoutes.activateMfa, { body: { code: nextCode(secret) } })
  return { secret, recoveryCodes }
}
