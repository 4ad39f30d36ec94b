/** One check, on a thread that its caller may end. */
import { createHash } from 'node:crypto'
import { Script } from 'node:vm'
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createCache } from '../cache/cache.ts'

export type SchemaCheck =
  | { readonly outcome: 'right' }
  /** What is wrong, and where, in words. */
  | { readonly outcome: 'wrong'; readonly words: string }
  /** The schema itself cannot be used. */
  | { readonly outcome: 'bad-schema'; readonly words: string }
  /** It took longer than allowed: the schema, or the value, makes it so. */
  | { readonly outcome: 'too-slow' }

export interface SchemaQuestion {
  readonly schema: string
  readonly value: string
  readonly mostMs: number
}

/** Checks JSON text against a JSON Schema, both given as text, in `mostMs` milliseconds at most. */
export const checkValue = ({ schema, value, mostMs }: SchemaQuestion): SchemaCheck => {
  const compiled = compileOnce(schema)
  if (typeof compiled !== 'function') return compiled
  const given: unknown = JSON.parse(value)
  const checked = within(mostMs, () => validate(compiled, given))
  return checked === late ? { outcome: 'too-slow' } : checked
}

const validate = (compiled: ValidateFunction, given: unknown): SchemaCheck => {
  try {
    if (compiled(given)) return { outcome: 'right' }
    return { outcome: 'wrong', words: wordsOf(compiled.errors?.[0]) }
  } catch (error) {
    // Nested as deeply as its schema lets it be.
    if (error instanceof RangeError) return { outcome: 'wrong', words: 'It is nested too deeply.' }
    throw error
  }
}

/** Once for each schema, so that it may take longer than a check. */
const compileMs = 400
const compiledBefore = createCache<ValidateFunction | SchemaCheck>({ max: 100 })

const compileOnce = (text: string): ValidateFunction | SchemaCheck => {
  const key = createHash('sha256').update(text).digest('base64')
  const known = compiledBefore.get(key)
  if (known) return known
  const compiled = within(compileMs, () => compile(text))
  if (compiled === late) return { outcome: 'too-slow' }
  compiledBefore.set(key, compiled)
  return compiled
}

const compile = (text: string): ValidateFunction | SchemaCheck => {
  const bad = (words: string): SchemaCheck => ({ outcome: 'bad-schema', words })
  try {
    const schema = JSON.parse(text) as Record<string, unknown> | boolean
    return readerOf(schema).compile(withoutName(schema))
  } catch (error) {
    if (error instanceof RangeError) return bad('it is nested too deeply')
    // The library quotes the schema.
    return bad(
      error instanceof Error && 'missingRef' in error ? 'it refers to what it does not hold' : 'it has mistakes',
    )
  }
}

/** As written for people's editors, patterns are often not what `u` wants. */
const regExp = Object.assign(
  (pattern: string, flags: string): RegExp => {
    try {
      return new RegExp(pattern, flags)
    } catch {
      return new RegExp(pattern)
    }
  },
  { code: 'new RegExp' },
)

/** Nothing is filled in or changed; what is unknown is passed over; the first mistake ends it. */
const options: Options = {
  strict: false,
  validateFormats: false,
  validateSchema: false,
  allErrors: false,
  ownProperties: true,
  logger: false,
  code: { regExp },
}

/** A fresh one each time: two schemas may have the same name. */
const readerOf = (schema: unknown): Ajv | Ajv2019 | Ajv2020 => {
  const draft = typeof schema === 'object' && schema !== null && '$schema' in schema ? String(schema.$schema) : ''
  if (/draft-0[4-7]/.test(draft)) return new Ajv(options)
  return draft.includes('2019-09') ? new Ajv2019(options) : new Ajv2020(options)
}

/** The reader knows its draft. */
const withoutName = (schema: Record<string, unknown> | boolean): Record<string, unknown> | boolean => {
  if (typeof schema === 'boolean') return schema
  const { $schema: _, ...rest } = schema
  return rest
}

const mostWordLetters = 300

const wordsOf = (error: ErrorObject | undefined): string => {
  if (!error) return 'It doesn’t match.'
  const { instancePath, keyword, params, message = 'does not fit' } = error
  const given = params as Record<string, unknown>
  const detail =
    keyword === 'additionalProperties' || keyword === 'unevaluatedProperties'
      ? `: ${JSON.stringify(given['additionalProperty'] ?? given['unevaluatedProperty'])}`
      : keyword === 'enum' || keyword === 'const'
        ? `: ${JSON.stringify(given['allowedValues'] ?? given['allowedValue'])}`
        : ''
  return `${instancePath === '' ? 'The whole' : instancePath} ${message}${detail}`
    .slice(0, mostWordLetters)
    .toWellFormed()
}

const late = Symbol('late')
const tries = 4
const holder = globalThis as { heldWork?: (() => unknown) | undefined }
const script = new Script('globalThis.heldWork()')

/**
 * What the work gives, or `late`: it is broken off, patterns too, once it took so much of the processor. On a machine
 * that is busy otherwise it may begin anew, as it had not its time.
 */
const within = <T>(mostMs: number, work: () => T): T | typeof late => {
  let used = 0
  for (let n = 0; n < tries; n += 1) {
    const before = process.threadCpuUsage()
    holder.heldWork = work
    try {
      return script.runInThisContext({ timeout: mostMs }) as T
    } catch (error) {
      if (!isTimeout(error)) throw error
      const { user, system } = process.threadCpuUsage(before)
      used += (user + system) / 1000
      if (used > mostMs * 0.8) return late
    } finally {
      holder.heldWork = undefined
    }
  }
  return late
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
