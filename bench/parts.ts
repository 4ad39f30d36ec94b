/** Benchmarks of several parts: each gives the rows of a table, and arguments name the parts to measure. */
import { cpus } from 'node:os'
import type { Row } from './row.ts'

/** Names of the parts that the arguments ask for, in the order of `parts`; without arguments all of them. */
export const chooseParts = (parts: Readonly<Record<string, unknown>>): string[] => {
  const wanted = process.argv.slice(2)
  const unknown = wanted.filter((name) => !parts[name])
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}: ${Object.keys(parts).join(', ')}.`)
  return Object.keys(parts).filter((name) => wanted.length === 0 || wanted.includes(name))
}

/** Measures the chosen parts one after the other, and prints a table of each. */
export const printParts = async (parts: Readonly<Record<string, () => Promise<readonly Row[]>>>): Promise<void> => {
  console.log(`${cpus().length} cores, Node ${process.versions.node}`)
  for (const name of chooseParts(parts)) {
    console.log(`\n${name} …`)
    const rows = (await parts[name]?.()) ?? []
    console.log(
      ['\n| Measure | Figure | Aim |', '|---|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n'),
    )
  }
}
