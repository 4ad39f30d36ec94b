/**
 * Variables of the environment: a name, how its text is read, and one sentence of description. Empty texts count as
 * absent. What is wrong is said about the name, and never quotes the value.
 */
import { z } from 'zod'

/** How the text of a variable becomes a value. */
export type FromText<T> = z.ZodType<T, string>

export interface Variable<T = unknown> {
  readonly name: string
  readonly text: FromText<T>
  /** One sentence for the table of variables; absent where another declaration of the same name has it. */
  readonly about?: string | undefined
  /** What holds without it, for the table; by default that it is not set. */
  readonly usual?: string | undefined
  /** The names of variables that must be set beside it. */
  readonly needs?: readonly string[] | undefined
  /** Its value may be told to whoever helps with the instance: it can be neither a secret nor content. */
  readonly plain?: boolean | undefined
}

type Declaration = readonly [FromText<unknown>, string, Pick<Variable, 'usual' | 'needs' | 'plain'>?]

/** Variables that nothing but the environment can say, by name: how the text is read, the sentence, and the rest. */
export const declareVariables = <const D extends Readonly<Record<string, Declaration>>>(declarations: D) =>
  Object.fromEntries(
    Object.entries(declarations).map(([name, [text, about, rest]]) => [name, { name, text, about, ...rest }]),
  ) as unknown as { readonly [K in keyof D]: Variable<z.output<D[K][0]>> }

export type Environment = Readonly<Record<string, string | undefined>>

/** The value of a variable; undefined where it is not set. */
export type VariableReader = <T>(variable: Variable<T>) => T | undefined

/** Reads variables when they are asked for. Throws ZodError for one that `problemsIn` would have told. */
export const createVariableReader =
  (environment: Environment): VariableReader =>
  ({ name, text }) => {
    const written = textOf(environment, name)
    return written === undefined ? undefined : text.parse(written)
  }

/**
 * All that is wrong with the variables, as `NAME: what it must be`: first those that cannot be read, then those that lack
 * others beside them.
 */
export const problemsIn = (environment: Environment, variables: readonly Variable[]): string[] => {
  const faults = variables.map((variable) => ({ variable, messages: faultsOf(environment, variable) }))
  const unreadable = new Set(faults.flatMap(({ variable, messages }) => (messages.length > 0 ? [variable.name] : [])))
  const lacking = variables.flatMap(({ name, needs = [] }) => {
    const missing = needs.filter((other) => textOf(environment, other) === undefined)
    if (unreadable.has(name) || textOf(environment, name) === undefined || missing.length === 0) return []
    return [`${name}: needs ${missing.join(' and ')} beside it`]
  })
  return [
    ...new Set([
      ...faults.flatMap(({ variable, messages }) => messages.map((message) => `${variable.name}: ${message}`)),
      ...lacking,
    ]),
  ]
}

const faultsOf = (environment: Environment, { name, text }: Variable): string[] => {
  const written = textOf(environment, name)
  if (written === undefined) return []
  return (text.safeParse(written).error?.issues ?? []).map(({ message }) => message)
}

const textOf = (environment: Environment, name: string): string | undefined => {
  const written = Object.hasOwn(environment, name) ? environment[name] : undefined
  return written === undefined || written.trim() === '' ? undefined : written
}

export const wholeNumber = (min: number, max: number): FromText<number> =>
  z
    .string()
    .trim()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)

export const yesNo: FromText<boolean> = z
  .string()
  .trim()
  .toLowerCase()
  .refine((text) => /^(true|false|1|0|yes|no|on|off)$/.test(text), 'must be true or false')
  .transform((text) => /^(true|1|yes|on)$/.test(text))

export const oneOf = <const W extends string>(words: readonly W[]): FromText<W> =>
  z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(words, `must be ${inWords(words)}`))

export const urlOf = (protocols: RegExp, form: string): FromText<URL> =>
  z
    .string()
    .trim()
    .transform((text) => URL.parse(text))
    .refine((url) => url !== null && protocols.test(url.protocol), `must be an address such as ${form}`)
    .transform((url) => url as URL)

export const webAddress = (form: string): FromText<URL> =>
  urlOf(/^https?:$/, form).refine(
    (url) => url.username === '' && url.password === '',
    'must not hold a user name or a password',
  )

/** A web address as text, without slashes at its end. */
export const webAddressText = (form: string): FromText<string> =>
  webAddress(form).transform((url) => url.href.replace(/\/+$/, ''))

/** How the text of a variable becomes a value of a setting, where the setting does not say. */
export const fromSchema = <T>(schema: z.ZodType<T>): FromText<T> => {
  const reader: FromText<unknown> =
    schema instanceof z.ZodNumber
      ? wholeNumber(schema.minValue ?? 0, schema.maxValue ?? Number.MAX_SAFE_INTEGER)
      : schema instanceof z.ZodBoolean
        ? yesNo
        : schema instanceof z.ZodEnum
          ? oneOf(schema.options as string[])
          : z.string().trim()
  return reader.pipe(schema as z.ZodType<T, unknown>)
}

const inWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
