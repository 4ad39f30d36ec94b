import { expect, test } from 'vitest'
import { checkBySchema } from './index.ts'

const nested = (depth: number): unknown => {
  let value: unknown = {}
  for (let n = 0; n < depth; n += 1) value = { a: value }
  return value
}
const person = {
  type: 'object',
  properties: { name: { type: 'string' }, kind: { enum: ['cat', 'dog'] } },
  required: ['name'],
  additionalProperties: false,
}

test('says what is wrong with a value, and where', async () => {
  expect(await checkBySchema(person, { name: 'Tom', kind: 'cat' })).toEqual({ outcome: 'right' })
  for (const [value, words] of [
    [{}, "must have required property 'name'"],
    [{ name: 1 }, '/name must be string'],
    [{ name: 'Tom', kind: 'cow' }, '["cat","dog"]'],
    [{ name: 'Tom', age: 3 }, '"age"'],
    [JSON.parse('{"name":"Tom","__proto__":{"kind":"cat"}}'), '"__proto__"'],
  ] as const)
    expect(await checkBySchema(person, value)).toEqual({ outcome: 'wrong', words: expect.stringContaining(words) })
})

test('reads schemas of the drafts that there are, and passes over what it does not know', async () => {
  const tuple = { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] }
  expect(await checkBySchema(tuple, [1])).toMatchObject({ outcome: 'wrong' })
  expect(await checkBySchema({ prefixItems: [{ type: 'string' }] }, [1])).toMatchObject({ outcome: 'wrong' })
  const odd = { type: 'string', format: 'made-up', 'x-more': 1, pattern: '^\\_a' }
  expect(await checkBySchema(odd, '_a')).toEqual({ outcome: 'right' })
})

test('ends what would never end, and what is too much', async () => {
  const pattern = { type: 'string', pattern: '^(a+)+$' }
  expect(await checkBySchema(pattern, `${'a'.repeat(60)}b`)).toEqual({ outcome: 'too-slow' })
  // The thread goes on.
  expect(await checkBySchema(pattern, 'aaa')).toEqual({ outcome: 'right' })
  const unique = { uniqueItems: true, items: { type: 'object' } }
  expect(
    await checkBySchema(
      unique,
      Array.from({ length: 20_000 }, (_, n) => ({ n })),
    ),
  ).toEqual({ outcome: 'too-slow' })
  const wide = { allOf: Array.from({ length: 100_000 }, (_, n) => ({ minProperties: n })) }
  expect(await checkBySchema(wide, {})).toMatchObject({ outcome: 'too-slow' })
})

test('refuses references that lead out of a schema, or round in it, and fetches nothing', async () => {
  for (const ref of ['https://example.org/schema.json', 'file:///etc/passwd', '#/$defs/none'])
    expect(await checkBySchema({ $ref: ref }, {}), ref).toMatchObject({ outcome: 'bad-schema' })
  const round = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }
  expect((await checkBySchema(round, {})).outcome).not.toBe('right')
  expect((await checkBySchema({ $ref: '#' }, {})).outcome).not.toBe('right')
})

test('bears what is nested without end', async () => {
  const tree = { type: 'object', properties: { a: { $ref: '#' } } }
  expect(await checkBySchema(tree, nested(50))).toEqual({ outcome: 'right' })
  expect((await checkBySchema(tree, nested(100_000))).outcome).not.toBe('right')
  expect((await checkBySchema(nested(100_000), {})).outcome).not.toBe('right')
})

test('ends when it is called off', async () => {
  await expect(checkBySchema(person, {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: 'aborted' })
})
