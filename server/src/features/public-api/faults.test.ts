import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultKinds } from '../../../../e2e/provider/state.ts'
import { type PublicApiHarness, providerOfWire, startPublicApi } from '../../testing/public-api.ts'

let harness: PublicApiHarness
beforeAll(async () => {
  harness = await startPublicApi()
})
afterAll(() => harness?.close())

const question = [{ role: 'user', content: 'Hello there' }]
const shapes = {
  '/v1/chat/completions': { messages: question },
  '/v1/responses': { input: 'Hello there' },
  '/v1/messages': { messages: question, max_tokens: 100 },
} as const

/** The rest waits for minutes, or is no fault: it is tested where deadlines can be set. */
const quick = faultKinds.filter((kind) => !['stall', 'stall-headers', 'chop', 'invalid-utf8'].includes(kind))

describe.each(Object.entries(shapes))('%s', (path, ask) => {
  test.each(Object.values(providerOfWire))('tells of every fault of %s in our words, and ends', async (provider) => {
    for (const kind of quick) {
      const label = `${provider} ${kind}`
      const response = await harness.admin.raw(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...ask, model: `${provider}/${kind}`, stream: true }),
      })
      const text = await response.text()
      expect(text, label).not.toContain('leaked')
      expect(text, label).toMatch(/provider|context window/i)
      if (response.ok) {
        // The last event of a stream that failed says so, in the shape of its client.
        const last = text.trimEnd().split('\n\n').at(-1) ?? ''
        expect(last, label).toMatch(/"error"/)
        expect(JSON.parse(/^data: (.*)$/m.exec(last)?.[1] ?? ''), label).toBeTruthy()
        expect(text, label).not.toContain('[DONE]')
      } else {
        expect(response.status, label).toBeGreaterThanOrEqual(400)
        expect(response.headers.get('content-type'), label).toMatch(/^application\/json/)
        const { error } = JSON.parse(text) as { error: { message: string; type: string } }
        expect([typeof error.message, typeof error.type], label).toEqual(['string', 'string'])
      }
    }
  })

  test.each(Object.values(providerOfWire))('takes bytes of %s that are no UTF-8 as text', async (provider) => {
    for (const kind of ['invalid-utf8', 'chop']) {
      const response = await harness.admin.raw(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...ask, model: `${provider}/${kind}`, stream: true }),
      })
      expect(response.status, kind).toBe(200)
      const text = await response.text()
      expect(text, kind).not.toContain('"error":{')
      expect(text.split('\n\n').length, kind).toBeGreaterThan(3)
    }
  })
})

test('no fault left anything of the provider in the log', () => {
  const lines = JSON.stringify(harness.app.lines)
  expect(lines).not.toContain('leaked')
  expect(harness.app.lines.filter(({ level }) => level === 'error')).toEqual([])
})
