import type { MediaModels } from '@atrium/contract/media-gallery'
import { Preferences } from '@atrium/contract/settings'
import { expect, test } from 'vitest'
import { preferencesQuery } from '../../../api/account.ts'
import { queryClient } from '../../../api/query.ts'
import { chooseMadeWith } from './make-options.ts'
import { restoreMaking, setMakeMode, takeMaking as take } from './make-mode.ts'

/** Of a message without attachments. */
const takeMaking = (chatId: string, known: MediaModels | undefined, content: string) => {
  const { attachments: _, ...taken } = take(chatId, known, { content, attachments: [] })
  return taken
}
const model = (name: string) => ({ model: name, pluginId: 'p', pluginName: 'P', config: {} })
const models: MediaModels = {
  image: [model('brush'), model('pen')],
  video: [],
  speech: [model('voice')],
  sound: [],
  transcription: [],
}

test('a message has made what was chosen for it, once, by the chosen model', () => {
  expect(takeMaking('a', models, 'A fox')).toEqual({ content: 'A fox' })
  setMakeMode('a', { kind: 'image', model: 'p/pen' })
  expect(takeMaking('b', models, 'A fox')).toEqual({ content: 'A fox' })
  const make = { kind: 'image', model: 'pen', pluginId: 'p' }
  expect(takeMaking('a', models, 'A fox')).toEqual({ content: 'A fox', make })
  expect(takeMaking('a', models, 'A fox')).toEqual({ content: 'A fox' })
})

test('a message has made by the model that is set in the settings, unless another was chosen', () => {
  const image = { providerId: 'p', model: 'pen', options: {} }
  queryClient.setQueryData(preferencesQuery.queryKey, Preferences.parse({ mediaDefaults: { image } }))
  expect(takeMaking('d', models, '/image A fox').make).toMatchObject({ model: 'pen' })
  setMakeMode('d', { kind: 'image', model: 'p/brush' })
  expect(takeMaking('d', models, 'A fox').make).toMatchObject({ model: 'brush' })
  queryClient.clear()
})

test('a message that says so by a command is made, where there is a model for it', () => {
  const make = { kind: 'speech', model: 'voice', pluginId: 'p' }
  expect(takeMaking('a', models, '/speak Good\nmorning')).toEqual({ content: 'Good\nmorning', make })
  for (const content of ['/video A fox', '/speak', 'not /speak', '/speaker A fox']) {
    expect(takeMaking('a', models, content)).toEqual({ content })
  }
  expect(takeMaking('a', undefined, '/speak Hello')).toEqual({ content: '/speak Hello' })
})

test('a mask goes with its picture in front, and comes back with it', () => {
  const picture = (id: string) => ({
    id,
    name: `${id}.png`,
    kind: 'image' as const,
    mediaType: 'image/png',
    sizeBytes: 1,
    tokens: 1,
    width: 4,
    height: 3,
  })
  const [pier, boat, attachment] = [picture('pier'), picture('boat'), picture('mask')]
  const masks = { ...models, image: [{ ...model('brush'), config: { supports_mask: true } }, model('pen')] }
  const mask = { sourceId: 'boat', attachment }
  setMakeMode('m', { kind: 'image', model: 'p/brush', mask })
  const taken = take('m', masks, { content: 'At dawn', attachments: [pier, boat] })
  expect(taken).toMatchObject({ attachments: [boat, pier, attachment], make: { model: 'brush', maskId: 'mask' } })
  expect(restoreMaking('m', taken)).toEqual([boat, pier])
  expect(take('m', masks, { content: 'At dawn', attachments: [boat] }).make).toMatchObject({ maskId: 'mask' })
  for (const [key, attachments] of [
    ['p/brush', [pier]],
    ['p/pen', [boat]],
  ] as const) {
    setMakeMode('m', { kind: 'image', model: key, mask })
    const without = take('m', masks, { content: 'At dawn', attachments })
    expect(without.attachments).toEqual(attachments)
    expect(without.make).not.toHaveProperty('maskId')
  }
})

test('what is made of a message is made as was chosen in its chat, until something else is', () => {
  const sized = { ...models, image: [{ ...model('brush'), config: { sizes: ['1x1', '2x2'], max_n: 2 } }] }
  const options = () => take('o', sized, { content: '/image A fox', attachments: [] }).make?.options
  expect(options()).toBeUndefined()
  chooseMadeWith('o', 'image', { fields: { size: '2x2', quality: 'gone' }, count: 3 })
  expect(options()).toEqual({ size: '2x2', n: 3 })
  expect(options()).toEqual({ size: '2x2', n: 3 })
  const image = { providerId: 'p', model: 'brush', options: { size: '1x1' } }
  queryClient.setQueryData(preferencesQuery.queryKey, Preferences.parse({ mediaDefaults: { image } }))
  chooseMadeWith('o', 'image', { fields: {}, count: 1 })
  expect(options()).toEqual({ size: '1x1' })
  chooseMadeWith('o', 'image', { fields: { size: '' }, count: 1 })
  expect(options()).toEqual({})
  queryClient.clear()
})

test('films and speech are made with what their models list, and with nothing else that was chosen', () => {
  const film = { durations: [4, 8], resolutions: ['720p'], supports_audio: true }
  const said = { voices: ['ash', 'coral'], formats: ['wav'] }
  const listed = {
    ...models,
    video: [Object.assign(model('reel'), { config: film }), model('bare')],
    speech: [Object.assign(model('voice'), { config: said })],
  }
  const options = (content: string) => take('f', listed, { content, attachments: [] }).make?.options
  const fields = { durationMs: '8', resolution: '720p', aspectRatio: '16:9', generateAudio: 'false' }
  chooseMadeWith('f', 'video', { fields, count: 3 })
  expect(options('/video Waves')).toEqual({ durationMs: 8000, resolution: '720p', generateAudio: false })
  setMakeMode('f', { kind: 'video', model: 'p/bare' })
  expect(options('Waves')).toEqual({})
  chooseMadeWith('f', 'speech', { fields: { voice: 'coral', responseFormat: 'mp3', size: '1x1' }, count: 1 })
  expect(options('/speak Good morning')).toEqual({ voice: 'coral' })
})
