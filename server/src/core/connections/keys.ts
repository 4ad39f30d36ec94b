/** Which key a call may carry, and the reason where it may carry none. Pure. */
import type { Definition, KeyState } from '@atrium/contract/connections'
import type { AccountConnection, InstalledDefinition } from './types.ts'

/** A key of the operator by the name of its environment variable. */
export type ReadEnvironmentKey = (name: string) => string | undefined

export interface ProviderKey {
  readonly value: string
  readonly from: 'own' | 'shared' | 'environment'
}

export const needsKey = ({ auth }: Definition): boolean => auth.header !== '' && auth.optional !== true

/** Whether calls are made with the server's own sign-in: Atrium's own definition only, on its own route. */
export const isSignedIn = ({ bundled, source, route }: InstalledDefinition): boolean =>
  bundled?.signIn === true && source === 'bundled' && route.unmoved

/** Whether only administrators may know of it: what lives by the server's sign-in is the operator's. */
export const isForAdministrators = ({ bundled, source }: InstalledDefinition): boolean =>
  bundled?.signIn === true && source === 'bundled'

/**
 * The account's own key for this very route, else the one that administrators keep for those who have the connection,
 * else the environment's. Only a definition that comes with Atrium is served by another key than the own one, where no
 * installed one replaces it and nobody changed its route. Ask once the destination was checked.
 */
export function keyFor(
  { installed, own }: Pick<AccountConnection, 'installed' | 'own'>,
  environment: ReadEnvironmentKey,
): ProviderKey | null {
  if (installed.definition.auth.header === '' || isSignedIn(installed)) return null
  if (own.key !== null) return { value: own.key, from: 'own' }
  if (!servesOperatorsKey(installed)) return null
  if (own.sharedKey !== null) return { value: own.sharedKey, from: 'shared' }
  const value = operatorsKey(installed, environment)
  return value === undefined ? null : { value, from: 'environment' }
}

export const keyHeaders = ({ auth }: Definition, key: string | null): Record<string, string> =>
  key === null || auth.header === '' ? {} : { [auth.header.toLowerCase()]: `${auth.prefix ?? ''}${key}` }

/** A header carries visible ASCII only. */
export const isValidKey = (key: string): boolean => /^[\x21-\x7e]+$/.test(key)

export function keyStateOf(
  connection: Pick<AccountConnection, 'installed' | 'own'>,
  environment: ReadEnvironmentKey,
): KeyState {
  const { installed, own } = connection
  if (isSignedIn(installed)) return 'sign-in'
  const key = keyFor(connection, environment)
  if (key) return key.from === 'own' ? 'saved' : key.from
  if (own.keyElsewhere) return 'other-route'
  return needsKey(installed.definition) ? 'missing' : 'none-needed'
}

/** Without a usable key nothing is asked, and this is said; null where nothing is missing. */
export function missingKey(
  connection: Pick<AccountConnection, 'installed' | 'own'>,
  environment: ReadEnvironmentKey,
): string | null {
  const { installed, own } = connection
  if (!needsKey(installed.definition) || isSignedIn(installed) || keyFor(connection, environment)) return null
  const why = unusedEnvironment(installed, environment)
  if (own.keyElsewhere) return `The saved key belongs to another address of this connection. Save it again.${why}`
  return `This connection needs your own API key.${why}`
}

/** Why nothing can be asked at all: no address, or no key. */
export const missingCredential = (
  connection: Pick<AccountConnection, 'installed' | 'own'>,
  environment: ReadEnvironmentKey,
): string | null => connection.installed.route.fault ?? missingKey(connection, environment)

function unusedEnvironment(installed: InstalledDefinition, environment: ReadEnvironmentKey): string {
  if (servesOperatorsKey(installed) || operatorsKey(installed, environment) === undefined) return ''
  if (installed.source === 'bundled') return ' A key in the environment is not used for a route that was changed here.'
  return ' A key in the environment is not used for an installed connection.'
}

/** Whether an operator's key may be sent there at all, from the environment or kept in Atrium. */
export const servesOperatorsKey = ({ source, route }: InstalledDefinition): boolean =>
  source === 'bundled' && route.unmoved && route.fault === null

function operatorsKey({ definition }: InstalledDefinition, environment: ReadEnvironmentKey): string | undefined {
  const { key_env } = definition.auth
  const value = key_env === '' ? undefined : environment(key_env)?.trim()
  return value && isValidKey(value) ? value : undefined
}
