/**
 * Devices that an account signed in from, known by a cookie (OWASP, "Slow Down Online Guessing Attacks with Device
 * Cookies"). Wrong passwords of strangers do not shut them out, and their own are counted apart. Such a cookie opens
 * nothing; nothing of it is kept here.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../../platform/clock.ts'
import type { Context } from '../../../platform/http/area.ts'
import type { Vault } from '../../../platform/vault/types.ts'

const deviceCookie = 'atrium_device'
const keptMs = 365 * 24 * 3600_000
/** So many accounts of one device are remembered. */
const mostAccounts = 5

type Visit = Pick<Context<unknown>, 'cookie' | 'setCookie'>

export interface KnownDevices {
  /** What tells this device of the account from others; null where it never signed in to it. */
  known(accountId: string, visit: Visit): string | null
  /** Makes it known. */
  remember(accountId: string, visit: Visit): void
}

export const createKnownDevices = ({ vault, clock }: { vault: Vault; clock: Clock }): KnownDevices => {
  const markOf = (accountId: string, name: string) => vault.blindIndex('accounts.device', `${accountId} ${name}`)
  const isOf = (accountId: string, { name, mark }: Entry): boolean => {
    const [own, shown] = [Buffer.from(markOf(accountId, name)), Buffer.from(mark)]
    return own.length === shown.length && timingSafeEqual(own, shown)
  }
  const find = (accountId: string, visit: Visit) => {
    const entries = read(visit.cookie(deviceCookie))
    return { entries, own: entries.find((entry) => isOf(accountId, entry)) ?? null }
  }

  return {
    known: (accountId, visit) => find(accountId, visit).own?.name ?? null,

    remember(accountId, visit) {
      const { entries, own } = find(accountId, visit)
      const name = own?.name ?? randomBytes(12).toString('base64url')
      const others = entries.filter((entry) => entry !== own)
      const all = [{ name, mark: markOf(accountId, name) }, ...others].slice(0, mostAccounts)
      const value = all.map((entry) => `${entry.name}.${entry.mark}`).join('~')
      visit.setCookie({ name: deviceCookie, value, expiresAt: clock.now() + keptMs })
    },
  }
}

interface Entry {
  readonly name: string
  readonly mark: string
}

const read = (cookie: string | null): Entry[] =>
  (cookie ?? '')
    .split('~')
    .slice(0, mostAccounts)
    .flatMap((text) => {
      const [, name, mark] = /^([\w-]{16})\.([\da-f]+)$/.exec(text) ?? []
      return name && mark ? [{ name, mark }] : []
    })
