import { expect, test } from 'vitest'
import { artifactFrom } from './from-block.ts'

const long = Array.from({ length: 30 }, (_, n) => `line ${n}`).join('\n')

test.each([
  ['html', '<title>Shop\n of tea</title>', { kind: 'html', title: 'Shop of tea' }],
  ['html', '<h1>Open</h1>', { kind: 'html', title: 'Open' }],
  ['tsx', 'export default function Counter() {}', { kind: 'react', title: 'Counter' }],
  ['xml', ' <svg viewBox="0 0 1 1"/>', { kind: 'svg', title: null }],
  ['md', 'Words\n\n## Plan\n', { kind: 'markdown', title: 'Plan' }],
  ['python', long, { kind: 'code', language: 'python' }],
  ['', long, { kind: 'code', language: null }],
  ['json', long, { kind: 'json' }],
])('a block of %s becomes an artifact', (language, content, made) => {
  expect(artifactFrom(language, content)).toMatchObject({ content, ...made })
})

test.each([
  ['python', 'print(1)'],
  ['xml', '<note/>'],
  ['json', '{}'],
])('a short block of %s stays where it is', (language, content) => {
  expect(artifactFrom(language, content)).toBeNull()
})
