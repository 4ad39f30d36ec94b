import { expect, test } from 'vitest'
import { artifactFrom, fencedBlocks } from './from-block.ts'

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

test('blocks are found in a text as it grows, and the last one may be open', () => {
  expect(fencedBlocks('Words\n```html\n<p>\n````js\n```\n~~~~ css x\n~~~\n  ~~~~\n```svg\n<svg')).toEqual([
    { language: 'html', content: '<p>\n````js', closed: true },
    { language: 'css', content: '~~~', closed: true },
    { language: 'svg', content: '<svg', closed: false },
  ])
  expect(fencedBlocks('Say ```x``` here\n``` `a` ```')).toEqual([])
})
