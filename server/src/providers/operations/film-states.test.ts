/** What providers say of a film that is none of the states they document. */
import { describe, expect, test } from 'vitest'
import type { About, Reply } from './format.ts'
import { formats } from './formats/index.ts'

const about: About = {
  endpoint: 'https://films.test/v1/videos',
  model: 'm',
  config: {},
  also: {},
  partials: 0,
  variables: {},
}
const handle = { id: 'own', addresses: { status: 'https://films.test/s', response: 'https://films.test/r' } }
const reply = (json: unknown): Reply => ({
  mediaType: 'application/json',
  bytes: new Uint8Array(),
  json: json as Reply['json'],
  headers: {},
})

describe.each(Object.keys(formats.video) as (keyof typeof formats.video)[])('the format %s', (name) => {
  const format = formats.video[name]

  test.each([
    'paused',
    'almost_completed',
    'done?',
    '',
    ' ',
    7,
    null,
    ['completed'],
    { state: 'completed' },
    '__proto__',
    'constructor',
  ])('takes %j neither for done nor for failed', (status) => {
    expect(() => format.state(reply({ id: 'own', status }), handle, about)).toThrow(
      expect.objectContaining({ kind: 'malformed' }),
    )
  })

  test.each([null, [], {}, { error: null }, { data: { status: 'completed' } }])('takes %j for no answer', (json) => {
    expect(() => format.state(reply(json), handle, about)).toThrow(expect.objectContaining({ kind: 'malformed' }))
  })

  test('believes no progress that is none', () => {
    for (const progress of [-1, 101, Number.NaN, Infinity, '50', null, {}]) {
      for (const status of ['in_progress', 'pending', 'IN_PROGRESS']) {
        const state = { of: () => format.state(reply({ id: 'own', status, progress }), handle, about) }
        try {
          expect(state.of()).toMatchObject({ progress: null })
        } catch (error) {
          expect(error).toMatchObject({ kind: 'malformed' })
        }
      }
    }
  })

  test('asks on, and fetches, by the id that was accepted, whatever id an answer has', () => {
    const others = reply({
      id: 'other',
      request_id: 'other',
      status: 'completed',
      video: { url: 'https://films.test/own.mp4' },
    })
    expect(JSON.stringify(format.whereToAsk(handle, about))).not.toContain('other')
    const found = (() => {
      try {
        return format.result(others, handle, about)
      } catch {
        return null
      }
    })()
    expect(JSON.stringify(found)).not.toContain('other')
  })

  test.each([{}, { id: '' }, { id: 7 }, { id: 'x'.repeat(501) }, { request_id: '' }, null, []])(
    'keeps no job by the name %j',
    (json) => {
      expect(() => format.accepted(reply(json), about)).toThrow(expect.objectContaining({ kind: 'malformed' }))
    },
  )

  test('says the name of a job so that it leads nowhere else', () => {
    const odd = format.whereToAsk({ id: '../../admin?x=1#y', addresses: handle.addresses }, about)
    expect(new URL(odd.address ?? '', about.endpoint).pathname).not.toContain('/admin')
  })
})
