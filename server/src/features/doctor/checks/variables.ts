/** Variables that look as if they were meant for Atrium, and that nobody reads. */
import { type DiagnosticCheck, reportPass, reportWarning } from '../../../platform/diagnostics/checks.ts'

/** `names`: all that are set; `known`: all that Atrium reads. Values are not looked at. */
export const variablesCheck = (variables: {
  readonly names: readonly string[]
  readonly known: readonly string[]
}): DiagnosticCheck => ({
  id: 'variables',
  async run() {
    const meant = variables.names.flatMap((name) => {
      const near = nearest(name, variables.known)
      return near ? [`${name} (perhaps ${near})`] : []
    })
    if (meant.length === 0) return reportPass('No variable looks misspelled.')
    return reportWarning(`These variables have no effect: ${meant.join(', ')}.`)
  },
})

const shortest = 6

/** The variable that a name was probably meant to be; null for one that is read, or is like none. */
const nearest = (name: string, known: readonly string[]): string | null => {
  const upper = name.toUpperCase()
  if (known.includes(name) || name.length < shortest) return null
  return known.find((other) => other.length >= shortest && isNear(upper, other)) ?? null
}

/** At most two letters are wrong, missing or too many (Levenshtein, 1966). */
const isNear = (written: string, meant: string): boolean => {
  if (Math.abs(written.length - meant.length) > 2) return false
  let row = Array.from({ length: meant.length + 1 }, (_, index) => index)
  for (const [at, letter] of written.split('').entries()) {
    const next = [at + 1]
    for (let column = 1; column <= meant.length; column++) {
      const changed = (row[column - 1] ?? 0) + (meant[column - 1] === letter ? 0 : 1)
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return (row.at(-1) ?? 3) <= 2
}
