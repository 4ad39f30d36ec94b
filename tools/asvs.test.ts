/** docs/asvs.md holds to the repository: each control once, each path there, each quotation in its file. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

/** How many controls of level 1 and 2 each chapter of ASVS 5.0.0 has. */
const counts: Readonly<Record<string, readonly [one: number, two: number]>> = {
  V1: [8, 19],
  V2: [4, 7],
  V3: [8, 11],
  V4: [2, 8],
  V5: [4, 5],
  V6: [13, 22],
  V7: [6, 12],
  V8: [4, 3],
  V9: [4, 3],
  V10: [5, 24],
  V11: [3, 11],
  V12: [3, 6],
  V13: [1, 12],
  V14: [2, 7],
  V15: [3, 10],
  V16: [0, 16],
  V17: [0, 7],
}
const states = ['met', 'partly', 'open', 'n/a']

const page = readFileSync('docs/asvs.md', 'utf8')
const controls = page
  .split('\n')
  .filter((line) => /^\| \d+\.\d+\.\d+ \|/.test(line))
  .map((line) => {
    const [id = '', level = '', asks = '', state = '', proof = '', ...more] = line.slice(2, -2).split(' | ')
    return { id, level, asks, state, proof, more }
  })

/** Paths and quotations of a proof in their order; a quotation belongs to the path before it. */
const namedIn = (proof: string): { path: string; quotations: string[] }[] => {
  const named: { path: string; quotations: string[] }[] = []
  for (const [, code, quotation] of proof.matchAll(/`([^`]+)`|“([^”]+)”/g)) {
    if (code !== undefined && /^[\w@./-]+\.(tsx?|mjs|md|json|txt)$/.test(code)) {
      const isShort = /^(app|core|features|platform|providers)\//.test(code)
      named.push({ path: isShort ? `server/src/${code}` : code, quotations: [] })
    }
    if (quotation !== undefined) named.at(-1)?.quotations.push(quotation)
  }
  return named
}

describe('docs/asvs.md', () => {
  test('has every control of level 1 and 2 once, by chapter and level', () => {
    expect(new Set(controls.map(({ id }) => id)).size).toBe(controls.length)
    const found = Object.keys(counts).map((chapter) => {
      const own = controls.filter(({ id }) => `V${id.split('.')[0]}` === chapter)
      return [chapter, ['1', '2'].map((wanted) => own.filter(({ level }) => level === wanted).length)]
    })
    expect(Object.fromEntries(found)).toEqual(counts)
    expect(controls).toHaveLength(253)
  })

  test('gives each a state and a proof or a reason, and counts them right', () => {
    const faults = controls.filter(
      ({ state, asks, proof, more }) => !states.includes(state) || asks === '' || proof === '' || more.length > 0,
    )
    expect(faults).toEqual([])
    for (const state of states) {
      const of = (level: string) => controls.filter((control) => control.state === state && control.level === level)
      const [one, two] = [of('1').length, of('2').length]
      expect(page).toContain(`| ${state} | ${one} | ${two} | ${one + two} |`)
    }
  })

  test('names only files that are there, and quotes only what stands in them', () => {
    const faults: string[] = []
    for (const { id, state, proof } of controls) {
      const named = namedIn(proof)
      if (state === 'met' && named.length === 0) faults.push(`${id} is met by nothing`)
      for (const { path, quotations } of named) {
        // Lines of a document may be broken anew.
        const text = existsSync(path) ? readFileSync(path, 'utf8').replace(/\s+/g, ' ') : null
        if (text === null) faults.push(`${id}: there is no ${path}`)
        else for (const words of quotations) if (!text.includes(words)) faults.push(`${id}: ${path} lacks “${words}”`)
      }
    }
    expect(faults).toEqual([])
  })
})
