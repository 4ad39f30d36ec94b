import { describe, expect, test } from 'vitest'
import { isOneScript, skeletonsOf } from './confusable.ts'

const lookAlike = (one: string, other: string): boolean => {
  const known = new Set(skeletonsOf(one))
  return skeletonsOf(other).some((skeleton) => known.has(skeleton))
}

describe('names that look alike', () => {
  test.each([
    ['alice', 'аlice', 'Cyrillic а'],
    ['alice', 'alıce', 'i without its dot'],
    ['alice', 'ALİCE', 'I with a dot'],
    ['alice', 'a1ice', 'a digit'],
    ['alice', 'AIice', 'a capital I'],
    ['ALICE', 'aLlCE', 'a small l'],
    ['alice', 'ａｌｉｃｅ', 'full width'],
    ['alice', 'alice\u3164', 'a letter that shows nothing'],
    ['bob', 'bοb', 'Greek ο'],
    ['bob', 'b0b', 'a zero'],
    ['ATH', 'АТН', 'Cyrillic capitals alone'],
    ['coco', 'сосо', 'Cyrillic alone'],
    ['oo', 'օօ', 'Armenian alone'],
    ['arnold', 'amold', 'r and n'],
    ['jane', 'ȷane', 'j without its dot'],
    ['josé', 'jοsé', 'beside an accent'],
    ['mоdern', 'modem', 'several at once'],
  ])('%s and %s: %s', (one, other) => expect(lookAlike(one, other)).toBe(true))

  test.each([
    ['jose', 'josé'],
    ['neil', 'nell'],
    ['ann', 'anne'],
    ['olaf', 'ølaf'],
    ['dan-2', 'dan.2'],
    ['мила', 'mila'],
    ['李', '季'],
  ])('%s and %s do not look alike', (one, other) => expect(lookAlike(one, other)).toBe(false))

  test.each(['Ann', 'ANN', 'ａnn', 'İzmir', 'Straße', 'ΣΊΣΥΦΟΣ', 'ǅ'])('%j has a skeleton that stays', (name) => {
    for (const skeleton of skeletonsOf(name)) expect(skeletonsOf(skeleton)).toContain(skeleton)
  })
})

test.each([
  ...['alice', 'José-2', 'ann@example.org', '2026', 'мила', 'Ελένη_7', 'ليلى', 'ليلى٣', 'דנה', 'สมชาย', 'ᏣᎳᎩ'],
  ...['鈴木ゆい', 'ユーザーAbc', '王小明', '王ㄅabc', '김철수', '김abc', '大韓민국'],
])('%j is written in one script, or in those that go together', (name) => expect(isOneScript(name)).toBe(true))

test.each(['аlice', 'bοb', 'Ꭺnn', 'µnit', 'ann٣', 'мила王', 'ゆい김', 'ليلىa', 'ㄅゆ'])('%j mixes scripts', (name) =>
  expect(isOneScript(name)).toBe(false),
)
