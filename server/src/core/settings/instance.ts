/** The settings of the instance, and the private addresses that follow from them. */
import type { InstanceSettings, PreferencesPatch } from '@atrium/contract/settings'
import type { AnyTransaction } from '../../platform/db/types.ts'
import { fail } from '../../platform/http/refusal.ts'
import { hostAndPort, plainHostAndPort, classifyHost } from '../../platform/outbound/destination.ts'
import { type SavedSettings, valuesOf } from '../../platform/settings/index.ts'
import { mergeTheme } from './rules.ts'
import type { BoundInstance } from './settings.ts'

type Name = Exclude<keyof InstanceSettings, 'unreadable'>
type Values = { readonly [K in Name]: InstanceSettings[K]['value'] }
/** What is not said stays; of the theme, each member by itself. */
type Change = { readonly [K in Exclude<Name, 'defaultTheme'>]?: Values[K] | undefined } & {
  readonly defaultTheme?: PreferencesPatch['theme']
}

export interface Instance {
  read(): Promise<InstanceSettings>
  /** Saves some settings. Refuses with `setting_locked` what the environment fixes. */
  save(change: Change): Promise<InstanceSettings>
  /** Says whether the local runtime is used, or where it is; what is not said stays. Refuses as `save` does. */
  setLocalRuntime(change: Partial<Values['localRuntime']>): Promise<InstanceSettings>
  /**
   * Prepares to put one private `host:port` on the operator's list: `write` belongs into a transaction, `written` after
   * its commit. Refuses with `setting_locked`, and what could never be called.
   */
  allowAddress(place: string): Promise<Allowance>
  /** Private `host:port` pairs that may be called: the operator's list, and where the local runtime is. */
  allowedAddresses(): Promise<ReadonlySet<string>>
}

export interface Allowance {
  write(trx: AnyTransaction): Promise<void>
  written(): Promise<void>
}

export const createInstance = (settings: BoundInstance, saved: Pick<SavedSettings, 'unreadable'>): Instance => {
  const read = async (): Promise<InstanceSettings> => {
    const { privateAddresses, ...others } = await settings.read()
    const list = { ...privateAddresses, value: [...privateAddresses.value] }
    return { ...others, privateAddresses: list, unreadable: await saved.unreadable() }
  }
  /** Every call out of the process asks for it; readings stay the same object until one of them changes. */
  let known: { readings: unknown; allowed: ReadonlySet<string> } = { readings: null, allowed: new Set() }
  return {
    read,
    async save(change) {
      settings.requireFree(change)
      const privateAddresses = change.privateAddresses && plainAddresses(change.privateAddresses)
      await settings.change(({ defaultTheme }) => ({
        ...change,
        privateAddresses,
        defaultTheme: change.defaultTheme && mergeTheme(defaultTheme.value, change.defaultTheme),
      }))
      return await read()
    },
    async setLocalRuntime(change) {
      await settings.change(({ localRuntime }) => ({ localRuntime: { ...localRuntime.value, ...change } }))
      return await read()
    },
    async allowAddress(place) {
      settings.requireFree({ privateAddresses: [place] })
      const [plain = place] = plainAddresses([place])
      return await settings.prepare(({ privateAddresses }) => ({
        privateAddresses: [...new Set([...privateAddresses.value, plain])],
      }))
    },
    async allowedAddresses() {
      const readings = await settings.read()
      if (readings !== known.readings) known = { readings, allowed: allowedBy(valuesOf(readings)) }
      return known.allowed
    },
  }
}

const allowedBy = ({ privateAddresses, localRuntime }: Values): ReadonlySet<string> => {
  const allowed = new Set(privateAddresses.map((entry) => plainHostAndPort(entry) ?? entry))
  const url = localRuntime.enabled ? URL.parse(localRuntime.baseUrl) : null
  if (url) allowed.add(hostAndPort(url.href))
  return allowed
}

/** The entries in their plain form, once each. Refuses what could never be called. */
const plainAddresses = (entries: readonly string[]): string[] => {
  const plain = entries.map((entry, index) => {
    const found = plainHostAndPort(entry)
    const path = `body.privateAddresses.${index}`
    if (found === null) throw fail('validation_failed', undefined, [{ path, message: 'write it as host:port' }])
    if (classifyHost(found) === 'never') {
      throw fail('validation_failed', undefined, [{ path, message: 'this network can’t be called' }])
    }
    return found
  })
  return [...new Set(plain)]
}
