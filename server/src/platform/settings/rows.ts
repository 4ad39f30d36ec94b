/** How the settings of a group stand in rows, and what holds of environment, saved and default. Pure. */
import type { ReadSource } from '@atrium/contract/common'
import { z } from 'zod'
import { type StoredJson, storedJson, unlessUnreadable } from '../stored-json.ts'
import type { ColumnName } from '../vault/types.ts'
import type { Setting, SettingFields, SettingGroup, SettingValues } from './setting.ts'
import type { RowsChange, SavedText } from './storage.ts'
import type { VariableReader } from './variables.ts'

/** What holds of one setting, and why. */
export interface EffectiveSetting<T> {
  readonly value: T
  readonly source: z.infer<typeof ReadSource>
  /** The variable that fixes it; null where none does. */
  readonly variable: string | null
}
export type EffectiveSettings<F extends SettingFields> = {
  readonly [K in keyof F]: EffectiveSetting<SettingValues<F>[K]>
}
/** Absent members stay; null forgets what was saved. */
export type SettingChange<F extends SettingFields> = {
  readonly [K in keyof F]?: SettingValues<F>[K] | null | undefined
}

export type SettingRows = ReadonlyMap<string, SavedText>

/** One row and the settings in it. */
export interface RowCodec {
  readonly row: string
  readonly names: readonly string[]
  /** null: nothing was saved that can be read. Throws no error. */
  read(text: SavedText | undefined): { readonly values: Values; readonly unreadable: boolean }
  /** null removes the row. */
  write(values: Values): string | null
}
type Values = Readonly<Record<string, unknown>>

export const rowCodecsOf = ({ fields, row, upgrade }: SettingGroup, place: ColumnName): RowCodec[] => {
  if (row !== null) return [documentCodec(fields, row, upgrade, place)]
  return Object.entries(fields).map(([name, { schema }]) => valueCodec(name, storedJson(place, schema)))
}

const valueCodec = (name: string, json: StoredJson<unknown>): RowCodec => ({
  row: name,
  names: [name],
  read: (text) => readRow(text, (saved) => ({ [name]: json.read(name, saved) })),
  write: ({ [name]: value }) => (value === undefined || value === null ? null : json.write(value)),
})

const documentCodec = (
  fields: SettingFields,
  row: string,
  upgrade: SettingGroup['upgrade'],
  place: ColumnName,
): RowCodec => {
  const members = z.object(
    Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema.nullish()])),
  )
  const json: StoredJson<Values> = storedJson<Values>(place, upgrade ? z.preprocess(upgrade, members) : members)
  return {
    row,
    names: Object.keys(fields),
    read: (text) => readRow(text, (saved) => json.read(row, saved)),
    write: (values) => json.write(values),
  }
}

const readRow = (text: SavedText | undefined, read: (saved: string) => Values): ReturnType<RowCodec['read']> => {
  if (text === undefined) return { values: {}, unreadable: false }
  const values = text === null ? null : unlessUnreadable(() => read(text), null)
  return values === null ? { values: {}, unreadable: true } : { values, unreadable: false }
}

/** What holds of all settings of a group. */
export const effectiveSettings = <F extends SettingFields>(
  { fields }: SettingGroup<F>,
  codecs: readonly RowCodec[],
  rows: SettingRows,
  readVariable: VariableReader,
): EffectiveSettings<F> => {
  const entries = codecs.flatMap((codec) => {
    const saved = codec.read(rows.get(codec.row))
    return codec.names.map((name) => [
      name,
      effectiveSetting(fields[name] as Setting, saved.unreadable ? unreadable : saved.values[name], readVariable),
    ])
  })
  return Object.fromEntries(entries) as EffectiveSettings<F>
}

const unreadable = Symbol('unreadable')

const effectiveSetting = (
  setting: Setting,
  saved: unknown,
  readVariable: VariableReader,
): EffectiveSetting<unknown> => {
  const { variable } = setting
  const fixed = variable ? readVariable(variable) : undefined
  const found: EffectiveSetting<unknown> =
    variable && fixed !== undefined
      ? { value: fixed, source: 'environment', variable: variable.name }
      : saved === unreadable
        ? { value: setting.strictest, source: 'unreadable', variable: null }
        : saved === undefined || saved === null
          ? { value: setting.default, source: 'default', variable: null }
          : { value: saved, source: 'saved', variable: null }
  return setting.secret ? Object.defineProperty({ ...found }, 'value', { enumerable: false }) : found
}

/** Lays a change over rows. A row that cannot be read is begun anew, from the strictest values that its settings have. */
export const changeRows =
  (fields: SettingFields, codecs: readonly RowCodec[], change: (before: SettingRows) => Values): RowsChange =>
  (before) => {
    const changes = change(before)
    const written = codecs.flatMap((codec): [string, string | null][] => {
      const names = codec.names.filter((name) => changes[name] !== undefined)
      if (names.length === 0) return []
      const saved = codec.read(before.get(codec.row))
      const base = saved.unreadable ? strictestOf(fields, codec.names) : saved.values
      return [[codec.row, codec.write({ ...base, ...Object.fromEntries(names.map((name) => [name, changes[name]])) })]]
    })
    return new Map(written)
  }

const strictestOf = (fields: SettingFields, names: readonly string[]): Values =>
  Object.fromEntries(names.flatMap((name) => (fields[name]?.isStrict ? [[name, fields[name].strictest]] : [])))
