/**
 * The settings of the instance: the environment wins and locks, then what was saved, then the default. Where what was
 * saved cannot be read, the strictest value holds until it is saved anew; no other setting is touched by it.
 */
import { InstanceSettings } from '@atrium/contract/settings'
import type { z } from 'zod'
import type { AnyTransaction, Database } from '../../platform/db/types.ts'
import { fail } from '../../platform/http/refusal.ts'
import { hostAndPort, plainHostAndPort, reachOfHost } from '../../platform/outbound/destination.ts'
import { type StoredJson, storedJson, unlessUnreadable } from '../../platform/stored-json.ts'
import { type SavedText, settingPlace, type SettingsStore } from './store.ts'

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

type Name = Exclude<keyof InstanceSettings, 'unreadable'>
type Values = { readonly [K in Name]: InstanceSettings[K]['value'] }

/** The address a local runtime has unless somebody moved it. */
const usualRuntimeUrl = 'http://localhost:11434'

const defaults: Values = {
  signupEnabled: false,
  privateAddresses: [],
  voiceInput: 'all-users',
  localRuntime: { enabled: false, baseUrl: usualRuntimeUrl },
}
/** What holds while a saved value cannot be read: it may have been this strict. */
const strictest: Values = { ...defaults, voiceInput: 'off' }
const columns: { readonly [K in Name]: StoredJson<Values[K]> } = {
  signupEnabled: storedJson(settingPlace, InstanceSettings.shape.signupEnabled.shape.value),
  privateAddresses: storedJson(settingPlace, InstanceSettings.shape.privateAddresses.shape.value),
  voiceInput: storedJson(settingPlace, InstanceSettings.shape.voiceInput.shape.value),
  localRuntime: storedJson(settingPlace, InstanceSettings.shape.localRuntime.shape.value),
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
  /**
   * What an area sets for the instance, as one sealed document. `strict` holds while what was saved cannot be read;
   * without it all of it is default then.
   */
  document<T>(name: string, form: z.ZodType<T>, strict?: NoInfer<T>): InstanceDocument<T>
  /** Tells of changes, by whichever process; gives the function that stops it. */
  onChanged(listener: () => void): () => void
  close(): void
}

/** In memory, until it changes in any process. */
export interface InstanceDocument<T> {
  read(): Promise<T>
  /** Whether something was saved that cannot be read. */
  isUnreadable(): Promise<boolean>
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
    saved: ReadonlyMap<string, SavedText>
  }> | null = null
  /** Of the documents of other areas, what tells whether they can be read. */
  const documents = new Map<string, StoredJson<unknown>>()

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

  const read = async (): Promise<InstanceSettings> => {
    const { settings, saved } = await load()
    const broken = [...documents].filter(
      ([name, column]) => readSaved(column, name, saved.get(name)).source === 'unreadable',
    )
    return { ...settings, unreadable: [...settings.unreadable, ...broken.map(([name]) => name)] }
  }

  return {
    read,
    allowedAddresses: async () => (await load()).allowed,
    async allowAddress(place) {
      refuseFixed(fixed, 'privateAddresses')
      const [plain = place] = plainAddresses([place])
      const write = await store.changeSetting('privateAddresses', (before) => {
        const list = valueOf('privateAddresses', before)
        return columns.privateAddresses.write([...new Set([...list, plain])])
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
      const values = new Map<string, string>()
      for (const [name, value] of Object.entries(change) as [Name, unknown][]) {
        if (value === undefined) continue
        refuseFixed(fixed, name)
        const plain = name === 'privateAddresses' ? plainAddresses(value as readonly string[]) : value
        values.set(name, (columns[name] as StoredJson<unknown>).write(plain))
      }
      await store.saveSettings(values)
      kept = null
      await database.notify(channel, '')
      return await read()
    },
    async change(name, change) {
      refuseFixed(fixed, name)
      const write = await store.changeSetting(name, (before) => columns[name].write(change(valueOf(name, before))))
      await database.write((trx) => write(trx))
      kept = null
      await database.notify(channel, '')
      return await read()
    },
    document: (name, form, strict) => {
      const column = storedJson(settingPlace, form)
      documents.set(name, column)
      const parse = (saved: SavedText | undefined) => {
        const found = readSaved(column, name, saved)
        if (found.source === 'saved') return found.value
        return found.source === 'unreadable' && strict !== undefined ? strict : form.parse({})
      }
      return {
        read: async () => parse((await load()).saved.get(name)),
        isUnreadable: async () => readSaved(column, name, (await load()).saved.get(name)).source === 'unreadable',
        async change(change) {
          const write = await store.changeSetting(name, (before) => column.write(change(parse(before))))
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

const combine = (fixed: Partial<Values>, saved: ReadonlyMap<string, SavedText>): InstanceSettings => {
  const entry = (name: Name) => {
    if (fixed[name] !== undefined) return { value: fixed[name], source: 'environment', variable: variables[name] }
    const { source } = readSaved<unknown>(columns[name], name, saved.get(name))
    return { value: valueOf(name, saved.get(name)), source, variable: null }
  }
  const entries = {
    signupEnabled: entry('signupEnabled'),
    privateAddresses: entry('privateAddresses'),
    voiceInput: entry('voiceInput'),
    localRuntime: entry('localRuntime'),
  }
  const unreadable = Object.entries(entries).filter(([, { source }]) => source === 'unreadable')
  return InstanceSettings.parse({ ...entries, unreadable: unreadable.map(([name]) => name) })
}

type Reading<T> = { readonly source: 'default' | 'unreadable' } | { readonly source: 'saved'; readonly value: T }

/** What was saved, if anything was and it can be read. */
function readSaved<T>(column: StoredJson<T>, name: string, saved: SavedText | undefined): Reading<T> {
  if (saved === undefined) return { source: 'default' }
  if (saved === null) return { source: 'unreadable' }
  return unlessUnreadable<Reading<T>, Reading<T>>(() => ({ source: 'saved', value: column.read(name, saved) }), {
    source: 'unreadable',
  })
}

const valueOf = <K extends Name>(name: K, saved: SavedText | undefined): Values[K] => {
  const found = readSaved<Values[K]>(columns[name], name, saved)
  if (found.source === 'saved') return found.value
  return found.source === 'default' ? defaults[name] : strictest[name]
}

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
