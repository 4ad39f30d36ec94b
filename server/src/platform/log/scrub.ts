/** Turns whatever a line was given into small, plain, harmless values. */
import { maskMark, maskText } from './mask.ts'

const maxDepth = 5
const maxMembers = 40
const maxText = 2000
const maxStack = 6000

/**
 * A copy of `fields` without secrets: members with secret names are hidden, texts are masked and bounded,
 * errors become name and message (and stack, if `stacks`), bytes become their length. Never throws.
 */
export const scrub = (
  fields: Readonly<Record<string, unknown>>,
  options: { stacks: boolean },
): Record<string, unknown> => members(fields, options, 0)

/** Whether a member of this name must not be logged. */
const isSecretName = (name: string): boolean => {
  if (secretPart.test(name)) return true
  return words(name).some((word) => secretWords.has(word))
}

const secretPart = /authori[sz]|cookie|passw|passphrase|secret|credential|bearer|token|apikey|privatekey/i
const secretWords = new Set(['key', 'keys', 'auth', 'pwd', 'jwt', 'pin', 'otp', 'sig', 'signature', 'nonce'])
/** Counts of tokens are wanted in a log, and a number under such a name is a count. */
const countName = /tokens?/i

const words = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)

const members = (source: object, options: { stacks: boolean }, depth: number): Record<string, unknown> => {
  const plain: Record<string, unknown> = {}
  let count = 0
  for (const name of Object.keys(source)) {
    if (++count > maxMembers) {
      plain['…'] = 'more members'
      break
    }
    const value = read(source, name)
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue
    const isCount = typeof value === 'number' && countName.test(name)
    plain[maskText(name, 100)] = isSecretName(name) && !isCount ? maskMark : plainValue(value, options, depth + 1)
  }
  return plain
}

const read = (source: object, name: string): unknown => {
  try {
    return (source as Record<string, unknown>)[name]
  } catch {
    // A getter of somebody else's object failed; the rest of the line is still worth writing.
    return '[unreadable]'
  }
}

const plainValue = (value: unknown, options: { stacks: boolean }, depth: number): unknown => {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value
  if (typeof value === 'string') return maskText(value, maxText)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object') return undefined
  if (depth > maxDepth) return '[deeper]'
  if (value instanceof Error) return plainError(value, options, depth)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof URL) return maskText(`${value.origin}${value.pathname}`, maxText)
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`
  if (value instanceof Map || value instanceof Set) return `[${value.size} members]`
  if (Array.isArray(value)) {
    const items = value.slice(0, maxMembers).map((item) => plainValue(item, options, depth + 1))
    return value.length > maxMembers ? [...items, `… ${value.length - maxMembers} more`] : items
  }
  return members(value, options, depth)
}

const plainError = (error: Error, options: { stacks: boolean }, depth: number): Record<string, unknown> => {
  const code = (error as { code?: unknown }).code
  return {
    name: maskText(String(error.name), 100),
    message: maskText(String(error.message), maxText),
    ...(typeof code === 'string' ? { code: maskText(code, 100) } : {}),
    ...(options.stacks && error.stack ? { stack: maskText(error.stack, maxStack) } : {}),
    ...(error.cause === undefined ? {} : { cause: plainValue(error.cause, options, depth + 1) }),
  }
}
