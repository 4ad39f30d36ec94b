/**
 * What a call changed in the settings of the instance, for the audit: gathered where settings are saved, told to
 * whoever records the call.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { EffectiveSettings } from './rows.ts'
import type { SettingFields } from './setting.ts'

const gathering = new AsyncLocalStorage<string[]>()
const longestValue = 120

/** Runs something and gives what it came to; what it changed in settings is appended to `changes`, one sentence each. */
export const gatherDifferences = <T>(changes: string[], run: () => Promise<T>): Promise<T> =>
  gathering.run(changes, run)

/** Tells whoever gathers what somebody saved in their own words, in the place of what `save` changes in settings. */
export const recordInWords = async (
  save: () => Promise<void>,
  words: () => Promise<readonly string[]>,
): Promise<void> => {
  await gathering.run([], save)
  gathering.getStore()?.push(...(await words()))
}

/** Tells whoever gathers what differs. Values of secrets are left out, and long ones are cut. */
export const recordDifferences = <F extends SettingFields>(
  fields: F,
  before: EffectiveSettings<F>,
  after: EffectiveSettings<F>,
): void => {
  const changes = gathering.getStore()
  if (!changes) return
  for (const [name, { secret }] of Object.entries(fields)) {
    const [old, now] = [inWords(before[name]?.value), inWords(after[name]?.value)]
    if (old !== now) changes.push(secret ? `${name}: …` : `${name}: ${cut(old)} → ${cut(now)}`)
  }
}

const inWords = (value: unknown): string =>
  value === null || value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value)

const cut = (text: string): string => (text.length > longestValue ? `${text.slice(0, longestValue)}…` : text)
