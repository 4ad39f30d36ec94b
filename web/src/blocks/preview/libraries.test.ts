import { expect, test } from 'vitest'
import { inOrder, libraryAt, packageOf } from './libraries.ts'

test.each([
  ['https://cdn.jsdelivr.net/npm/chart.js@4.4.0/dist/chart.umd.min.js', 'chart'],
  ['https://cdn.jsdelivr.net/npm/@tailwindcss/browser@4', 'tailwind'],
  ['//unpkg.com/react-dom@18/umd/react-dom.production.min.js', 'react'],
  ['https://unpkg.com/lucide@latest', 'lucide'],
  ['https://cdnjs.cloudflare.com/ajax/libs/three.js/r128/three.min.js', 'three'],
  ['https://cdnjs.cloudflare.com/ajax/libs/PapaParse/5.4.1/papaparse.min.js', 'papaparse'],
  ['https://cdn.tailwindcss.com', 'tailwind'],
  ['https://d3js.org/d3.v7.min.js', 'd3'],
  ['https://elsewhere.example/npm/d3', null],
  ['https://cdn.jsdelivr.net/gh/someone/d3', null],
  ['https://cdn.jsdelivr.net/npm/constructor', null],
  ['nonsense', null],
])('%s brings %s', (address, library) => {
  expect(libraryAt(address)).toBe(library)
})

test.each([
  ['react', 'React'],
  ['https://esm.sh/react@18.2.0', 'React'],
  ['react-dom/client', 'ReactDOM'],
  ['npm:d3@7', 'd3'],
  ['https://unpkg.com/three@0.160.0/examples/jsm/controls/OrbitControls.js', 'THREE'],
  ['three/addons/controls/OrbitControls.js', 'THREE'],
  ['lodash', undefined],
  ['./mine.js', undefined],
  ['__proto__', undefined],
])('an import of %s gives %s', (specifier, value) => {
  expect(packageOf(specifier)?.value).toBe(value)
})

test('what a library needs runs before it', () => {
  expect(inOrder(new Set(['lucide', 'd3']))).toEqual(['react', 'd3', 'lucide'])
})
