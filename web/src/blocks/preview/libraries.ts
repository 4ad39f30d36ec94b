/** The libraries that pages in previews may use, by the names and addresses that pages know them by. Pure. */

export const libraryNames = [
  'tailwind',
  'react',
  'd3',
  'chart',
  'three',
  'mermaid',
  'katex',
  'papaparse',
  'lucide',
] as const
export type LibraryName = (typeof libraryNames)[number]

/** Its script registers all of its parts, and sets one global that holds them. */
const chartModule = 'Object.assign({}, Chart, { __esModule: true, Chart, default: Chart, registerables: [] })'

/** Packages by their name, and the expression that gives what importing one gives. */
const packages: ReadonlyMap<string, { readonly library: LibraryName; readonly value: string }> = new Map(
  Object.entries({
    react: { library: 'react', value: 'React' },
    'react/jsx-runtime': { library: 'react', value: 'ReactJsx' },
    'react-dom': { library: 'react', value: 'ReactDOM' },
    'react-dom/client': { library: 'react', value: 'ReactDOM' },
    d3: { library: 'd3', value: 'd3' },
    'chart.js': { library: 'chart', value: chartModule },
    'chart.js/auto': { library: 'chart', value: chartModule },
    three: { library: 'three', value: 'THREE' },
    'three/addons/controls/OrbitControls.js': { library: 'three', value: 'THREE' },
    mermaid: { library: 'mermaid', value: 'mermaid' },
    katex: { library: 'katex', value: 'katex' },
    papaparse: { library: 'papaparse', value: 'Papa' },
    'lucide-react': { library: 'lucide', value: 'LucideReact' },
    lucide: { library: 'lucide', value: 'lucide' },
  } as const),
)

/** The package that an import names, by its bare name or by an address of a well-known host; null: it is none of ours. */
export function packageOf(specifier: string): { library: LibraryName; value: string } | null {
  const name = /^https?:/.test(specifier) ? nameInAddress(specifier) : specifier.replace(/^npm:/, '')
  if (name === null) return null
  const plain = name.replace(/^((?:@[\w.-]+\/)?[\w.-]+)@[^/]+/, '$1')
  const addon = /^three\/(?:examples\/jsm|addons)\/controls\/OrbitControls(?:\.js)?$/.test(plain)
  const named = addon ? 'three/addons/controls/OrbitControls.js' : plain
  return packages.get(named) ?? packages.get(plain.split('/')[0] ?? '') ?? null
}

/** The library that a script or style sheet at an address would bring; null: it is none of ours. */
export function libraryAt(address: string): LibraryName | null {
  const name = nameInAddress(address)
  if (name === null) return null
  if (name === 'tailwindcss' || name.startsWith('@tailwindcss/browser') || name.startsWith('tailwindcss@'))
    return 'tailwind'
  return packageOf(name)?.library ?? null
}

const cdnjs: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'three.js': 'three',
    'Chart.js': 'chart.js',
    PapaParse: 'papaparse',
    KaTeX: 'katex',
    tailwindcss: 'tailwindcss',
  }),
)

/** `https://unpkg.com/three@0.160/build/three.module.js` is of the package `three@0.160/…`. */
function nameInAddress(address: string): string | null {
  const { hostname, pathname } = URL.parse(address.startsWith('//') ? `https:${address}` : address) ?? {}
  if (hostname === undefined || pathname === undefined) return null
  const path = decodeURIComponent(pathname.slice(1))
  switch (hostname) {
    case 'cdn.jsdelivr.net':
      return path.startsWith('npm/') ? path.slice(4) : null
    case 'unpkg.com':
    case 'esm.sh':
    case 'cdn.skypack.dev':
      return path.replace(/^(?:stable\/|v\d+\/)/, '')
    case 'ga.jspm.io':
      return path.replace(/^npm:/, '')
    case 'cdnjs.cloudflare.com': {
      const [, name] = /^ajax\/libs\/([^/]+)\//.exec(path) ?? []
      return name === undefined ? null : (cdnjs.get(name) ?? name)
    }
    case 'cdn.tailwindcss.com':
      return 'tailwindcss'
    case 'd3js.org':
      return 'd3'
    default:
      return null
  }
}

/** With what each of them needs before it, in the order in which they run. */
export function inOrder(wanted: ReadonlySet<LibraryName>): LibraryName[] {
  const all = new Set(wanted)
  if (all.has('lucide')) all.add('react')
  return libraryNames.filter((name) => all.has(name))
}
