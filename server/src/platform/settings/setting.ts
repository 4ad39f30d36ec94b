/**
 * Settings of the instance as values: what one is, what holds until somebody says otherwise, and which variable of the
 * environment fixes it. The environment stands over what was saved, and that over the default.
 */
import { z } from 'zod'
import { type FromText, fromSchema, type Variable } from './variables.ts'
import type { SettingStorage, StorageDeps } from './storage.ts'

export interface Setting<T = unknown> {
  readonly schema: z.ZodType
  /** What holds while nobody said anything; null where it follows from other settings. */
  readonly default: T
  /** What holds while the saved value cannot be read, as it may have been this strict. */
  readonly strictest: T
  /** Whether `strictest` was given, so that a reader may be told that it holds. */
  readonly isStrict: boolean
  /** What fixes it; null: nothing does. */
  readonly variable: Variable | null
  /** Its value is left out wherever a reading is written or copied. */
  readonly secret: boolean
  /** Its value may be told to whoever helps with the instance: it can be neither a secret nor content. */
  readonly plain: boolean
}

interface SettingOptions<T, D> {
  readonly default: D
  /** What fixes it: the name of a variable, or one that is declared already. */
  readonly env?: string | Variable<NoInfer<T>>
  /** One sentence about the variable; left out where another setting describes it. */
  readonly about?: string
  /** How the text of the variable is read, where that does not follow from the schema. */
  readonly parse?: FromText<NoInfer<T>>
  /** The names of variables that its own needs beside it. */
  readonly needs?: readonly string[]
  readonly strictest?: NoInfer<T>
  readonly secret?: boolean
}

/** One setting. `null` as default means that nobody says anything; the area decides what holds then. */
export function setting<T>(schema: z.ZodType<T>, options: SettingOptions<T, null>): Setting<T | null>
export function setting<T>(schema: z.ZodType<T>, options: SettingOptions<T, NoInfer<T>>): Setting<T>
export function setting<T>(schema: z.ZodType<T>, options: SettingOptions<T, T | null>): Setting<T | null> {
  const { default: usual, env, about, parse = fromSchema(schema), needs, strictest, secret = false } = options
  const plain = !secret && isClosed(schema)
  return {
    schema,
    default: usual,
    strictest: strictest === undefined ? usual : strictest,
    isStrict: strictest !== undefined,
    variable:
      typeof env === 'string'
        ? { name: env, text: parse, about, needs, usual: usualInWords(usual, secret), plain }
        : (env ?? null),
    secret,
    plain,
  }
}

/** Whether every value is a number, yes or no, or a word of a list: nothing that somebody thought up. */
const isClosed = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodNullable || schema instanceof z.ZodOptional
    ? isClosed(schema.unwrap() as z.ZodType)
    : [z.ZodNumber, z.ZodBoolean, z.ZodEnum, z.ZodLiteral].some((kind) => schema instanceof kind)

const usualInWords = (usual: unknown, secret: boolean): string =>
  secret || usual === null || usual === '' || typeof usual === 'object'
    ? 'unset: set in the app'
    : `unset: set in the app (\`${String(usual)}\`)`

export type SettingFields = Readonly<Record<string, Setting>>

/** The settings of an area. */
export interface SettingGroup<F extends SettingFields = SettingFields> {
  readonly fields: F
  /** The one row that holds all of them as members of an object; without it each has a row of its own name. */
  readonly row: string | null
  /** Turns what earlier versions wrote into that row into what is read today. */
  readonly upgrade: ((stored: unknown) => unknown) | null
  /** Where its rows are, if not among the settings of the instance. */
  readonly storage: ((deps: StorageDeps) => SettingStorage) | null
}

export const defineSettings = <F extends SettingFields>(
  fields: F,
  options: Partial<Omit<SettingGroup, 'fields'>> = {},
): SettingGroup<F> => ({
  fields,
  row: options.row ?? null,
  upgrade: options.upgrade ?? null,
  storage: options.storage ?? null,
})

/** The settings of an area by name: groups that administrators save, and variables that only the environment says. */
export type SettingDeclarations = Readonly<Record<string, SettingGroup | Variable>>

/** Every variable of the declarations: those that fix a setting of a group, and those that stand alone. */
export const variablesOf = (declarations: SettingDeclarations): Variable[] =>
  Object.values(declarations).flatMap((declaration) =>
    isGroup(declaration)
      ? Object.values(declaration.fields).flatMap(({ variable }) => (variable ? [variable] : []))
      : [declaration],
  )

export const isGroup = (declaration: SettingGroup | Variable): declaration is SettingGroup => 'fields' in declaration

/** The values of a group by name. */
export type SettingValues<F extends SettingFields> = {
  readonly [K in keyof F]: F[K] extends Setting<infer T> ? T : never
}
