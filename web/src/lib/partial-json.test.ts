import { expect, test } from 'vitest'
import { readPartialJson } from './partial-json.ts'

const whole = JSON.stringify({
  kind: 'html',
  title: 'A “shop”',
  content: '<p class="x">\\ \n\u0001 😀</p>',
  edits: [{ old_text: 'a', new_text: 'b', everywhere: true }, { n: -1.5e3 }],
  none: null,
})

test('what is whole is read as it is', () => {
  for (const text of [whole, '[]', '{}', ' [1, "a", {"b": []}] '])
    expect(readPartialJson(text)).toEqual(JSON.parse(text))
})

test('what breaks off anywhere is read as far as it is, and only grows', () => {
  const last = JSON.parse(whole)
  let before = ''
  for (let length = 0; length < whole.length; length += 1) {
    const { content = '' } = (readPartialJson(whole.slice(0, length)) ?? {}) as { content?: string }
    expect(last.content.startsWith(content)).toBe(true)
    expect(content.startsWith(before)).toBe(true)
    before = content
  }
  expect(before).toBe(last.content)
  expect(readPartialJson('{"edits":[{"old_text":"a","new_text":"b')).toEqual({
    edits: [{ old_text: 'a', new_text: 'b' }],
  })
})

test('what is no JSON gives what stood before, and throws nothing', () => {
  for (const text of ['', '{', '{"a"', '{"a":', '{"a":tru', 'x', '{"a":1,}', '[,]', '{"a":"\\q"}', '"\\u12'])
    expect(() => readPartialJson(text)).not.toThrow()
  expect(readPartialJson('{"a":1 "b":2}')).toEqual({ a: 1 })
})
