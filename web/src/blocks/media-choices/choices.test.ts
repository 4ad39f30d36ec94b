import { describe, expect, test } from 'vitest'
import { choicesOf, filmFieldsOf, kindsOf, mostPictures, noFilm, requestOf } from './choices.ts'

const model = (config: Record<string, unknown>) => ({ model: 'm', pluginId: 'p', pluginName: 'P', config })
const none = { image: [], video: [], speech: [], sound: [], transcription: [] }

describe('what can be made', () => {
  test('is what some model makes', () => {
    expect(kindsOf({ ...none, video: [model({})], transcription: [model({})] })).toEqual(['video'])
    expect(kindsOf(none)).toEqual([])
  })

  test('has the choices that its definition lists, and no others', () => {
    const film = model({ durations: [4, 8], default_duration: 4, resolutions: [], aspect_ratios: ['16:9'] })
    expect(choicesOf('video', film)).toEqual([
      { field: 'durationMs', values: ['4', '8'], usual: '4' },
      { field: 'aspectRatio', values: ['16:9'], usual: '' },
    ])
    expect(choicesOf('image', film)).toEqual([])
  })

  test('is a sound of a usual length between the shortest and the longest that its model makes', () => {
    const lengths = (config: Record<string, unknown>) =>
      choicesOf('sound', model(config)).find(({ field }) => field === 'durationMs')?.values
    expect(lengths({ min_duration_ms: 3000, max_duration_ms: 22_000 })).toEqual(['5', '10', '20'])
    expect(lengths({ max_duration_ms: 1500 })).toEqual(['1'])
    expect(lengths({ max_duration_ms: 500 })).toBeUndefined()
    expect(lengths({})).toBeUndefined()
    expect(requestOf('sound', model({}), 'Rain', { durationMs: '10' }, 1)).toMatchObject({ durationMs: 10_000 })
  })

  test('is asked for with what was chosen alone, films in milliseconds', () => {
    expect(requestOf('video', model({}), 'A boat', { durationMs: '8', resolution: '' }, 1)).toEqual({
      pluginId: 'p',
      model: 'm',
      prompt: 'A boat',
      durationMs: 8000,
    })
    expect(requestOf('image', model({}), 'A boat', {}, 3)).toMatchObject({ prompt: 'A boat', n: 3 })
    expect(requestOf('speech', model({}), 'Hello', { voice: 'ash' }, 3)).toEqual({
      pluginId: 'p',
      model: 'm',
      input: 'Hello',
      voice: 'ash',
    })
  })

  test('is as many pictures as its model draws at once, four at least and ten at most', () => {
    expect([{}, { max_n: 1 }, { max_n: 6 }, { max_n: 40 }].map((config) => mostPictures(model(config)))).toEqual([
      4, 4, 6, 10,
    ])
  })

  test('begins and ends with pictures, and has sound, only where its model does that', () => {
    const wish = { firstFrameId: 'a', lastFrameId: 'b', generateAudio: false }
    expect(filmFieldsOf(model({ supports_frames: true, supports_audio: true }), wish)).toEqual(wish)
    expect(filmFieldsOf(model({ supports_first_frame: true }), wish)).toEqual({ firstFrameId: 'a' })
    expect(filmFieldsOf(model({ supports_frames: true, supports_audio: true }), noFilm)).toEqual({})
  })
})
