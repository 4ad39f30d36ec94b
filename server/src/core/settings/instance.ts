/** The settings of the instance: the environment wins and locks, then what was saved, then the default. */
import { InstanceSettings } from '@atrium/contract/settings-preferences'
import type { z } from 'zod'
import type { AnyTransaction, Database } from '../../platform/db/types.ts'
import { fail } from '../../platform/http/refusal.ts'
import { hostAndPort, plainHostAndPort, reachOfHost } from '../../platform/outbound/destination.ts'
import type { SettingsStore } from './store.ts'

/** What the environment fixes; absent members are free. */
export interface EnvironmentSettings {
  /** ENABLE_SIGNUP */
  readonly signupEnabled?: boolean | undefined
  /** OUTBOUND_ALLOW: `host:port` each. */
  readonly privateAddresses?: readonly string[] | undefined
  /** VOICE_INPUT */
  readonly voiceInput?: Values['voiceInput'] | undefined
  /** OLLAMA_BASE_URL */
  readonly localRuntimeUrl?: string | undefined
}

type Name = keyof InstanceSettings
type Values = { readonly [K in Name]: InstanceSettings[K]['value'] }

/** The address a local runtime has unless somebody moved it. */
const usualRuntimeUrl = 'http://localhost:11434'

const defaults: Values = {
  signupEnabled: false,
  privateAddresses: [],
  voiceInput: 'all-users',
  localRuntime: { enabled: false, baseUrl: usualRuntimeUrl },
}
const variables: Readonly<Record<Name, string>> = {
  signupEnabled: 'ENABLE_SIGNUP',
  privateAddresses: 'OUTBOUND_ALLOW',
  voiceInput: 'VOICE_INPUT',
  localRuntime: 'OLLAMA_BASE_URL',
}

export interface Instance {
  read(): Promise<InstanceSettings>
  /** Saves some settings. Refuses with `setting_locked` what the environment fixes. */
  save(change: Partial<Values>): Promise<InstanceSettings>
  /** Reads, changes and writes one setting in one transaction. Refuses with `setting_locked` as `save` does. */
  change<K extends Name>(name: K, change: (before: Values[K]) => Values[K]): Promise<InstanceSettings>
  /**
   * Prepares to put one private `host:port` on the operator's list: `write` belongs into a transaction, `written` after
   * its commit. Refuses with `setting_locked`, and what could never be called.
   */
  allowAddress(place: string): Promise<Allowance>
  /** Private `host:port` pairs that may be called: the operator's list, and where the local runtime is. */
  allowedAddresses(): Promise<ReadonlySet<string>>
  /** What an area sets for the instance, as one sealed document. */
  document<T>(name: string, form: z.ZodType<T>): InstanceDocument<T>
  /** Tells of changes, by whichever process; gives the function that stops it. */
  onChanged(listener: () => void): () => void
  close(): void
}

/** In memory, until it changes in any process. */
export interface InstanceDocument<T> {
  /** A document that this version cannot read any more is as good as none: then all of it is default. */
  read(): Promise<T>
  /** Reads, changes and writes in one transaction. */
  change(change: (before: T) => T): Promise<T>
}

export interface Allowance {
  write(trx: AnyTransaction): Promise<void>
  written(): Promise<void>
}

export const createInstance = (deps: {
  database: Database
  store: SettingsStore
  environment: EnvironmentSettings
}): Instance => {
  const { database, store } = deps
  const fixed = fixedBy(deps.environment)
  const listeners = new Set<() => void>()
  let kept: Promise<{
    settings: InstanceSettings
    allowed: ReadonlySet<string>
    saved: ReadonlyMap<string, unknown>
  }> | null = null

  const load = () => {
    kept ??= store.settings().then((saved) => {
      const settings = combine(fixed, saved)
      return { settings, allowed: allowedBy(settings), saved }
    })
    const loading = kept
    loading.catch(() => {
      if (kept === loading) kept = null
    })
    return loading
  }
  const changed = () => {
    kept = null
    for (const listener of listeners) listener()
  }
  const stopListening = database.listen(channel, changed, changed)

  return {
    read: async () => (await load()).settings,
    allowedAddresses: async () => (await load()).allowed,
    async allowAddress(place) {
      refuseFixed(fixed, 'privateAddresses')
      const [plain = place] = plainAddresses([place])
      const write = await store.changeSetting('privateAddresses', (before) => {
        const list = InstanceSettings.shape.privateAddresses.shape.value.safeParse(before)
        return [...new Set([...(list.data ?? []), plain])]
      })
      return {
        write,
        async written() {
          kept = null
          await database.notify(channel, '')
        },
      }
    },
    async save(change) {
      const values = new Map<string, unknown>()
      for (const [name, value] of Object.entries(change) as [Name, unknown][]) {
        if (value === undefined) continue
        refuseFixed(fixed, name)
        values.set(name, name === 'privateAddresses' ? plainAddresses(value as readonly string[]) : value)
      }
      await store.saveSettings(values)
      kept = null
      await database.notify(channel, '')
      return (await load()).settings
    },
    async change(name, change) {
      refuseFixed(fixed, name)
      const write = await store.changeSetting(name, (before) => change(readValue(name, before) ?? defaults[name]))
      await database.write((trx) => write(trx))
      kept = null
      await database.notify(channel, '')
      return (await load()).settings
    },
    document: (name, form) => {
      const parse = (saved: unknown) => form.safeParse(saved).data ?? form.parse({})
      return {
        read: async () => parse((await load()).saved.get(name)),
        async change(change) {
          const write = await store.changeSetting(name, (before) => change(parse(before)))
          await database.write((trx) => write(trx))
          kept = null
          await database.notify(channel, '')
          return parse((await load()).saved.get(name))
        },
      }
    },
    onChanged(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: stopListening,
  }
}

const channel = 'instance-settings-changed'

const fixedBy = ({
  signupEnabled,
  privateAddresses,
  voiceInput,
  localRuntimeUrl,
}: EnvironmentSettings): Partial<Values> => ({
  ...(signupEnabled === undefined ? {} : { signupEnabled }),
  ...(privateAddresses === undefined ? {} : { privateAddresses: [...privateAddresses] }),
  ...(voiceInput === undefined ? {} : { voiceInput }),
  ...(localRuntimeUrl === undefined ? {} : { localRuntime: { enabled: true, baseUrl: localRuntimeUrl } }),
})

const refuseFixed = (fixed: Partial<Values>, name: Name): void => {
  if (fixed[name] !== undefined) {
    throw fail('setting_locked', `This setting is fixed by ${variables[name]} in the environment.`)
  }
}

const combine = (fixed: Partial<Values>, saved: ReadonlyMap<string, unknown>): InstanceSettings => {
  const entry = (name: Name) => {
    if (fixed[name] !== undefined) return { value: fixed[name], source: 'environment', variable: variables[name] }
    const read = readValue(name, saved.get(name))
    return read === undefined
      ? { value: defaults[name], source: 'default', variable: null }
      : { value: read, source: 'saved', variable: null }
  }
  return InstanceSettings.parse({
    signupEnabled: entry('signupEnabled'),
    privateAddresses: entry('privateAddresses'),
    voiceInput: entry('voiceInput'),
    localRuntime: entry('localRuntime'),
  })
}

/** A saved value; one that this version cannot read any more is as good as none. */
const readValue = <K extends Name>(name: K, saved: unknown): Values[K] | undefined =>
  InstanceSettings.shape[name].shape.value.safeParse(saved).data as Values[K] | undefined

const allowedBy = ({ privateAddresses, localRuntime }: InstanceSettings): ReadonlySet<string> => {
  const allowed = new Set(privateAddresses.value.map((entry) => plainHostAndPort(entry) ?? entry))
  const url = localRuntime.value.enabled ? URL.parse(localRuntime.value.baseUrl) : null
  if (url) allowed.add(hostAndPort(url.href))
  return allowed
}

/** The entries in their plain form, once each. Refuses what could never be called. */
const plainAddresses = (entries: readonly string[]): string[] => {
  const plain = entries.map((entry, index) => {
    const found = plainHostAndPort(entry)
    const path = `body.privateAddresses.${index}`
    if (found === null) throw fail('validation_failed', undefined, [{ path, message: 'write it as host:port' }])
    if (reachOfHost(found) === 'never') {
      throw fail('validation_failed', undefined, [{ path, message: 'this network is never called' }])
    }
    return found
  })
  return [...new Set(plain)]
}
