import { expect, test } from 'vitest'
import { voicesIn, withVoiceId } from './listed-voices.ts'

test('voices are read by what people call them', () => {
  const elevenlabs = {
    voices: [
      { voice_id: 'JBFqnCBsd6RMkjVDRZzb', name: 'George', category: 'premade' },
      { voice_id: 'EXAVITQu4vr4xnSDxMaL', name: 'George' },
      { name: '' },
      null,
    ],
    has_more: false,
  }
  expect([...voicesIn(elevenlabs)]).toEqual([
    ['George', 'JBFqnCBsd6RMkjVDRZzb'],
    ['EXAVITQu4vr4xnSDxMaL', 'EXAVITQu4vr4xnSDxMaL'],
  ])
  expect([...voicesIn({ voices: ['af_bella', 'am_adam'] }).keys()]).toEqual(['af_bella', 'am_adam'])
  expect([...voicesIn([{ id: 'alba', name: 'Alba' }])]).toEqual([['Alba', 'alba']])
  for (const other of [null, 'x', { voices: 'x' }, {}, { voices: [7] }]) expect(voicesIn(other).size).toBe(0)
  expect(voicesIn(Array(1000).fill(0).map(String)).size).toBe(1)
  expect(voicesIn(Array.from({ length: 1000 }, (_, n) => `v${n}`)).size).toBe(300)
})

test('a voice is asked for as its provider knows it, and another one as it is', () => {
  const config = { voice_ids: { George: 'JBF' } }
  expect(withVoiceId({ text: 'x', voice: 'George' }, config)).toEqual({ text: 'x', voice: 'JBF' })
  expect(withVoiceId({ text: 'x', voice: 'EXA' }, config)).toEqual({ text: 'x', voice: 'EXA' })
  expect(withVoiceId({ voice: 'constructor' }, config)).toEqual({ voice: 'constructor' })
  expect(withVoiceId({ text: 'x' }, config)).toEqual({ text: 'x' })
  expect(withVoiceId({ voice: 'George' }, {})).toEqual({ voice: 'George' })
})
