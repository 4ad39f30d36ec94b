/**
 * What coding agents send, as they sent it: a first question, and how they go on with the result of a tool. Long texts are
 * cut, and the model is the one that is asked for.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type PublicApiHarness, providerOfWire, startPublicApi } from '../../testing/public-api.ts'

interface Recording {
  readonly agent: string
  readonly path: string
  readonly requests: readonly { readonly headers: Record<string, string>; readonly body: object }[]
}
const recordings = ['claude-code', 'codex'].map(
  (name) => JSON.parse(readFileSync(new URL(`./recorded/${name}.json`, import.meta.url), 'utf8')) as Recording,
)

let harness: PublicApiHarness
beforeAll(async () => {
  harness = await startPublicApi()
})
beforeEach(() => harness.calm())
afterAll(() => harness?.close())

const cases = recordings.flatMap((recording) =>
  Object.entries(providerOfWire).map(([wire, provider]) => [recording.agent, wire, provider, recording] as const),
)
describe.each(cases)('%s over the wire %s', (_agent, _wire, provider, { path, requests }) => {
  const send = async (model: string, { headers, body }: Recording['requests'][number]) => {
    const response = await harness.admin.raw(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ ...body, model: `${provider}/${model}` }),
    })
    return { status: response.status, text: await response.text() }
  }

  test.each([...requests.keys()])('is answered at its request %i, to the end of the stream', async (at) => {
    const { status, text } = await send('echo', requests[at]!)
    expect([status, text]).toEqual([200, expect.stringContaining('said: ')])
    expect(text).toMatch(/event: (message_stop|response\.completed)\n/)
    expect(text).not.toMatch(/event: error/)
  })

  test('has its own tools called', async () => {
    const { status, text } = await send('caller', requests[0]!)
    expect(status).toBe(200)
    expect(text).toMatch(/"type":"(tool_use|function_call)"[^\n]*"name":"(Agent|exec_command)"/)
  })
})
