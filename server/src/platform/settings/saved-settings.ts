/**
 * Settings of the instance, bound to what was saved and to the environment. Rows are in memory until they change in any
 * process. Saving what the environment fixes is refused with `setting_locked` and the name of the variable.
 */
import type { z } from 'zod'
import type { AnyTransaction } from '../db/types.ts'
import { fail } from '../http/refusal.ts'
import { recordDifferences } from './differences.ts'
import { storedJson, unlessUnreadable } from '../stored-json.ts'
import {
  changeRows,
  type EffectiveSettings,
  effectiveSettings,
  type RowCodec,
  rowCodecsOf,
  type SettingRows,
  type SettingChange,
} from './rows.ts'
import {
  type SettingDeclarations,
  type SettingFields,
  type SettingGroup,
  type SettingValues,
  isGroup,
} from './setting.ts'
import { instanceSettingStorage, type RowsChange, type SettingStorage, type StorageDeps } from './storage.ts'
import type { Variable, VariableReader } from './variables.ts'

/** The settings of one area. */
export interface BoundSettings<F extends SettingFields> {
  /** Each with its source. */
  read(): Promise<EffectiveSettings<F>>
  values(): Promise<SettingValues<F>>
  /**
   * Changes in one transaction what is named. Refuses with `setting_locked` what the environment fixes. `check` sees what
   * would hold, and refuses by throwing.
   */
  change(change: Change<F>, check?: (after: EffectiveSettings<F>) => void): Promise<EffectiveSettings<F>>
  /** Refuses with `setting_locked` members of a change that the environment fixes. */
  requireFree(change: { readonly [K in keyof F]?: unknown }): void
  /** The same as `change` inside somebody's transaction: `write` belongs into it, `written` after its commit. */
  prepare(change: Change<F>, check?: (after: EffectiveSettings<F>) => void): Promise<PreparedChange>
}
type Change<F extends SettingFields> = SettingChange<F> | ((before: EffectiveSettings<F>) => SettingChange<F>)

export interface PreparedChange {
  write(trx: AnyTransaction): Promise<void>
  /** This process hears of it as others do; from here on it reads what is saved. */
  written(): Promise<void>
}

/** Declared settings as an area gets them: groups bound, variables read; undefined where a variable is not set. */
export type BoundDeclarations<D extends SettingDeclarations> = {
  readonly [K in keyof D]: D[K] extends SettingGroup<infer F>
    ? BoundSettings<F>
    : D[K] extends Variable<infer T>
      ? T | undefined
      : never
}

/** What an area keeps for the instance that is no setting, as one sealed document. */
export interface InstanceDocument<T> {
  read(): Promise<T>
  /** Reads, changes and writes in one transaction. */
  change(change: (before: T) => T): Promise<T>
}

export interface SavedSettings {
  bind<D extends SettingDeclarations>(declarations: D): BoundDeclarations<D>
  /** `strict` holds while what was saved cannot be read; without it all of it is default then. */
  document<T>(name: string, form: z.ZodType<T>, strict?: NoInfer<T>): InstanceDocument<T>
  /** The names of the rows of the instance that cannot be read and that nothing else stands over. */
  unreadable(): Promise<string[]>
  /** Tells of changes, by whichever process; gives the function that stops it. */
  onChanged(listener: () => void): () => void
  close(): void
}

export type SavedSettingsDeps = StorageDeps & {
  readonly readVariable: VariableReader
  /** Where rows are whose group does not say. */
  readonly storage?: (deps: StorageDeps) => SettingStorage
}

export const createSavedSettings = (deps: SavedSettingsDeps): SavedSettings => {
  const { readVariable } = deps
  const instance = cacheRows(deps, (deps.storage ?? instanceSettingStorage)(deps))
  const others: CachedRows[] = []
  const unreadableRows: (() => Promise<string[]>)[] = []
  const bindGroup = (group: SettingGroup): BoundSettings<SettingFields> => {
    const rows = group.storage ? cacheRows(deps, group.storage(deps)) : instance
    const codecs = rowCodecsOf(group, rows.place)
    const bound = bindTo(group, codecs, rows, readVariable)
    if (rows === instance) unreadableRows.push(async () => unreadableIn(codecs, await bound.read()))
    else others.push(rows)
    return bound
  }

  return {
    bind<D extends SettingDeclarations>(declarations: D) {
      const bound = Object.entries(declarations).map(([name, declaration]) => [
        name,
        isGroup(declaration) ? bindGroup(declaration) : readVariable(declaration),
      ])
      return Object.fromEntries(bound) as BoundDeclarations<D>
    },
    document(name, form, strict) {
      const json = storedJson(instance.place, form)
      const find = (saved: SettingRows) => {
        const text = saved.get(name)
        if (text === undefined) return { value: form.parse({}), unreadable: false }
        const read = text === null ? null : unlessUnreadable(() => ({ value: json.read(name, text) }), null)
        return read ? { ...read, unreadable: false } : { value: strict ?? form.parse({}), unreadable: true }
      }
      unreadableRows.push(async () => (find(await instance.load()).unreadable ? [name] : []))
      return {
        read: async () => find(await instance.load()).value,
        async change(change) {
          await instance.change([name], (before) => new Map([[name, json.write(change(find(before).value))]]))
          return find(await instance.load()).value
        },
      }
    },
    async unreadable() {
      return (await Promise.all(unreadableRows.map((find) => find()))).flat()
    },
    onChanged: instance.onChanged,
    close() {
      for (const rows of [instance, ...others]) rows.close()
    },
  }
}

const bindTo = <F extends SettingFields>(
  group: SettingGroup<F>,
  codecs: readonly RowCodec[],
  rows: CachedRows,
  readVariable: VariableReader,
): BoundSettings<F> => {
  const known = new WeakMap<SettingRows, EffectiveSettings<F>>()
  /** Rows stay the same object until one of them changes, and are asked about many times for each question. */
  const readingsIn = (saved: SettingRows): EffectiveSettings<F> => {
    const readings = known.get(saved) ?? effectiveSettings(group, codecs, saved, readVariable)
    known.set(saved, readings)
    return readings
  }
  const requireFree = (change: { readonly [K in keyof F]?: unknown }): void => {
    for (const [name, { variable }] of Object.entries(group.fields))
      if (variable && change[name] !== undefined && readVariable(variable) !== undefined)
        throw fail('setting_locked', `${variable.name} sets this in the environment, so it can’t be changed here.`)
  }
  const rowNames = codecs.map(({ row }) => row)
  const rowsChange = (change: Change<F>, check: (after: EffectiveSettings<F>) => void): RowsChange => {
    if (typeof change !== 'function') requireFree(change)
    const lay = changeRows(group.fields, codecs, (before) => {
      const named = typeof change === 'function' ? change(readingsIn(before)) : change
      requireFree(named)
      return named
    })
    return (before) => {
      const written = lay(before)
      const kept = [...before].filter(([name]) => !written.has(name))
      const after = readingsIn(new Map([...kept, ...[...written].filter(([, text]) => text !== null)]))
      check(after)
      recordDifferences(group.fields, readingsIn(before), after)
      return written
    }
  }
  const read = async () => readingsIn(await rows.load())
  return {
    read,
    requireFree,
    values: async () => valuesOf(await read()),
    async change(change, check = () => undefined) {
      await rows.change(rowNames, rowsChange(change, check))
      return await read()
    },
    async prepare(change, check = () => undefined) {
      return await rows.prepare(rowNames, rowsChange(change, check))
    },
  }
}

/** The values alone. */
export const valuesOf = <F extends SettingFields>(readings: EffectiveSettings<F>): SettingValues<F> =>
  Object.fromEntries(Object.entries(readings).map(([name, { value }]) => [name, value])) as SettingValues<F>

/** A row counts while one of its settings is read from it. */
const unreadableIn = (codecs: readonly RowCodec[], readings: EffectiveSettings<SettingFields>): string[] =>
  codecs.filter(({ names }) => names.some((name) => readings[name]?.source === 'unreadable')).map(({ row }) => row)

interface CachedRows extends Pick<SettingStorage, 'place'> {
  load(): Promise<SettingRows>
  prepare(names: readonly string[], change: RowsChange): Promise<PreparedChange>
  change(names: readonly string[], change: RowsChange): Promise<void>
  onChanged(listener: () => void): () => void
  close(): void
}

const cacheRows = ({ database }: StorageDeps, storage: SettingStorage): CachedRows => {
  const listeners = new Set<() => void>()
  let cached: Promise<SettingRows> | null = null
  const changed = () => {
    cached = null
    for (const listener of listeners) listener()
  }
  const stopListening = database.listen(storage.channel, changed, changed)
  const load = () => {
    const loading = (cached ??= storage.read())
    loading.catch(() => {
      if (cached === loading) cached = null
    })
    return loading
  }
  const prepare = async (names: readonly string[], change: RowsChange): Promise<PreparedChange> => {
    const write = await storage.prepare(names, change)
    return {
      async write(trx) {
        await write(trx)
        // With the change itself, so that no process goes on with what was saved before, whatever happens to this one.
        await database.notifyIn(trx, storage.channel, '')
      },
      async written() {
        cached = null
      },
    }
  }
  return {
    place: storage.place,
    load,
    prepare,
    async change(names, change) {
      const { write, written } = await prepare(names, change)
      await database.write((trx) => write(trx))
      await written()
    },
    onChanged(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: stopListening,
  }
}
