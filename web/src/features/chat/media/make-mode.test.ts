import type { MediaModels } from '@atrium/contract/media-gallery'
import { Preferences } from '@atrium/contract/settings'
import { expect, test } from 'vitest'
import { preferencesQuery } from '../../../api/account.ts'
import { queryClient } from '../../../api/query.ts'
import { setMakeMode, takeMaking } from './make-mode.ts'

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
