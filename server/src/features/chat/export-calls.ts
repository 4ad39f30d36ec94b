/** Calls of tools as a written-down chat names them: what was called with what, and how it went. */
import type { ToolCall } from '@atrium/contract/generation'
import { isOwnCall } from '../../core/generation/index.ts'

const mostLetters = 300

/** One line for each call of an answer, in their order. */
export const describeCalls = (calls: readonly ToolCall[]): string[] =>
  calls.filter(isOwnCall).map(({ name, title, arguments: args, status, serverName }) => {
    const server = serverName === undefined ? '' : `${oneLine(serverName)} · `
    return `${server}${oneLine(title ?? name)} ${oneLine(args)} → ${status ?? 'unknown'}`
  })

const oneLine = (text: string): string => {
  const line = text.replace(/[\s\p{C}]+/gu, ' ').trim()
  return line.length <= mostLetters ? line : `${line.slice(0, mostLetters - 1)}…`
}
