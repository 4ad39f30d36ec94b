import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')
const accents = ['verdigris', 'indigo', 'ochre', 'rose', 'graphite']
const themes = ['light', 'dark', 'contrast', 'contrast-light']
const grounds = ['canvas', 'surface', 'raised', 'sunken', 'hover']

/** Text and what it stands on: 4.5 : 1. */
const texts: [string, string[]][] = [
  ['ink', [...grounds, 'pressed', 'accent-soft', 'danger-soft', 'warn-soft', 'ok-soft', 'info-soft']],
  ['muted', [...grounds, 'accent-soft']],
  ['faint', grounds],
  ['accent-ink', ['canvas', 'surface', 'raised', 'sunken', 'accent-soft']],
  ['on-accent', ['accent', 'accent-strong']],
  ['danger-ink', ['canvas', 'surface', 'raised', 'danger-soft']],
  ['on-danger', ['danger']],
  ['warn-ink', ['canvas', 'surface', 'raised', 'warn-soft']],
  ['ok-ink', ['canvas', 'surface', 'raised', 'ok-soft']],
  ['info-ink', ['canvas', 'surface', 'raised', 'info-soft']],
  ['surface', ['ink']],
]
/** Edges of controls, focus rings and marks: 3 : 1. */
const shapes: [string, string[]][] = [
  ['line-strong', ['canvas', 'surface', 'raised', 'sunken']],
  ['ring', grounds],
  ['accent', ['canvas', 'surface', 'raised']],
  ['accent-line', ['surface', 'raised']],
]

for (const theme of themes) {
  for (const accent of accents) {
    test(`text and controls stand out in the ${theme} theme with ${accent}`, () => {
      const tokens = tokensOf(theme, accent)
      const failures = [...check(tokens, texts, 4.5), ...check(tokens, shapes, 3)]
      expect(failures).toEqual([])
    })
  }
}

test('every icon that points along the line is turned where pages run from right to left', () => {
  const base = readFileSync(new URL('./base.css', import.meta.url), 'utf8')
  const turned = new Set([...base.matchAll(/\.lucide-([\w-]+)/g)].map(([, name]) => name))
  const source = new URL('../', import.meta.url)
  const texts = globSync('**/*.{ts,tsx}', { cwd: source }).map((path) => readFileSync(new URL(path, source), 'utf8'))
  const imports = texts.flatMap((text) => [...text.matchAll(/import \{([^}]*)\} from 'lucide-react'/g)])
  const icons = new Set(imports.flatMap(([, names = '']) => names.match(/[A-Z]\w+/g) ?? []))
  const missing = [...icons].filter((name) => along.test(name) && !turned.has(kebab(name)))
  expect(icons.size).toBeGreaterThan(100)
  expect(missing).toEqual([])
})

/** Left or right, forwards or back, or lines of text that begin at one side; both ways at once has no side. */
const along =
  /^(?!ArrowRightLeft|PanelsTopLeft)(?:\w*(?:Left|Right|Reply)|Forward|Undo2?|Redo2?|Send\w*|LogIn|LogOut|ExternalLink|List(?!Filter)\w*|Text(?:Quote|Search)?)$/
const kebab = (name: string) =>
  name === 'Text' ? 'text-align-start' : name.replace(/([a-z])(?=[A-Z0-9])/g, '$1-').toLowerCase()

function check(tokens: Map<string, string>, pairs: [string, string[]][], least: number): string[] {
  return pairs.flatMap(([front, backs]) =>
    backs.flatMap((back) => {
      const ratio = contrast(colour(tokens, front), colour(tokens, back))
      return ratio < least ? [`${front} on ${back}: ${ratio.toFixed(2)}`] : []
    }),
  )
}

function tokensOf(theme: string, accent: string): Map<string, string> {
  const tokens = new Map<string, string>()
  const wanted = [':root', `:root[data-accent='${accent}']`, `:root[data-theme='${theme}']`]
  // Later blocks win, as in the browser: accents stand before themes and set other names.
  for (const [, selector, body] of css.matchAll(/(^:root[^{]*)\{([^}]*)\}/gm)) {
    if (!wanted.includes((selector ?? '').trim().replaceAll('"', "'"))) continue
    for (const [, name, value] of (body ?? '').matchAll(/--([\w-]+):\s*([^;]+);/g)) tokens.set(name ?? '', value ?? '')
  }
  return tokens
}

function colour(tokens: Map<string, string>, name: string): number[] {
  const value = (tokens.get(name) ?? '').replace(/var\(--([\w-]+)\)/g, (_, inner: string) => tokens.get(inner) ?? '')
  const inside = /^oklch\((.*)\)$/.exec(value.trim())?.[1]
  if (!inside) throw new Error(`${name} is no oklch colour: ${value}`)
  const [l, c, h] = inside
    .replace(/calc\(([\d.]+) \* ([\d.]+)\)/g, (_, a: string, b: string) => String(Number(a) * Number(b)))
    .split(' ')
    .map(Number)
  return oklchToLinear(l ?? 0, c ?? 0, h ?? 0)
}

/** Linear sRGB, clipped to what a screen can show. */
function oklchToLinear(l: number, c: number, h: number): number[] {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ].map((channel) => Math.min(1, Math.max(0, channel)))
}

function contrast(one: number[], other: number[]): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}
const luminance = ([r = 0, g = 0, b = 0]: number[]) => 0.2126 * r + 0.7152 * g + 0.0722 * b
