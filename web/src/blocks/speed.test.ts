import { expect, test } from 'vitest'
import { hasSpeed, formatSeconds, speedWords } from './speed.ts'

const t = (key: string, values?: object) => `${key}${values ? JSON.stringify(values) : ''}`

test.each([
  [3, '0.01'],
  [45, '0.05'],
  [99, '0.1'],
  [412, '0.4'],
  [1000, '1'],
  [9990, '10'],
  [12_300, '12'],
])('%d ms are told as %s s', (ms, words) => {
  expect(formatSeconds(ms)).toBe(words)
})

test('what is known is told, and that nothing is', () => {
  expect(speedWords(t, { firstTokenMs: 400, errorShare: 0 })).toBe(
    'blocks:models.begins{"seconds":"0.4"} · blocks:models.noneFailed',
  )
  expect(speedWords(t, { firstTokenMs: null, errorShare: 0.0312 })).toBe('blocks:models.failed{"share":"3.1%"}')
  expect(speedWords(t, { firstTokenMs: null, errorShare: 0.25 })).toContain('25%')
  expect(speedWords(t, { firstTokenMs: null, errorShare: 0.00001 })).toContain('0.1%')
  expect(speedWords(t, { firstTokenMs: null, errorShare: null })).toBe('blocks:models.speedUnknown')
  expect(hasSpeed({ firstTokenMs: null, errorShare: 0 })).toBe(true)
  expect(hasSpeed({ firstTokenMs: null, errorShare: null })).toBe(false)
})
