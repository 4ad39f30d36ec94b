import { expect, test } from 'vitest'
import type { Turn, Wire } from '../types.ts'
import { anthropic } from './anthropic.ts'
import { bedrock } from './bedrock.ts'
import { chatCompletions } from './chat-completions.ts'
import { gemini } from './gemini.ts'
import { ollama } from './ollama.ts'
import { responses } from './responses.ts'

const image = { mediaType: 'image/png', data: 'aW1hZ2U=' }
const call = (id: string) => ({ id, name: 'draw', arguments: '{"of":"cat"}' })
const spec = { name: 'draw', description: 'Draws.', parameters: { type: 'object' } }
const turn = (more: Partial<Turn> = {}): Turn => ({
  model: 'm',
  system: null,
  messages: [
    { role: 'user', text: 'Draw two.', images: [] },
    { role: 'assistant', text: '', toolCalls: [call('a'), call('b')] },
    { role: 'tool', callId: 'a', name: 'draw', text: 'A cat.', images: [image] },
    { role: 'tool', callId: 'b', name: 'draw', text: 'Nothing.' },
  ],
  tools: [spec],
  options: {},
  ...more,
})
const said = (wire: Wire, more?: Partial<Turn>) => wire.say(turn(more)) as Record<string, unknown[]>

test('pictures of results stand in them, where the format has a place for them', () => {
  expect(said(anthropic)['messages']?.at(-1)).toMatchObject({
    content: [
      {
        type: 'tool_result',
        content: [
          { type: 'text', text: 'A cat.' },
          { type: 'image', source: { data: image.data } },
        ],
      },
      { type: 'tool_result', content: 'Nothing.' },
    ],
  })
  expect(said(bedrock)['messages']?.at(-1)).toMatchObject({
    content: [
      { toolResult: { content: [{ text: 'A cat.' }, { image: { format: 'png', source: { bytes: image.data } } }] } },
      { toolResult: { content: [{ text: 'Nothing.' }] } },
    ],
  })
  expect(said(responses)['input']?.slice(-2)).toMatchObject([
    { type: 'function_call_output', output: [{ text: 'A cat.' }, { type: 'input_image' }] },
    { type: 'function_call_output', output: 'Nothing.' },
  ])
  expect(said(gemini)['contents']?.at(-1)).toMatchObject({
    parts: [{ functionResponse: {} }, { inlineData: { data: image.data } }, { functionResponse: {} }],
  })
})

test.each([chatCompletions, ollama])('they follow the results of the round in $id, which has none', (wire) => {
  const messages = said(wire)['messages'] ?? []
  expect(messages.slice(-3)).toMatchObject([{ role: 'tool' }, { role: 'tool' }, { role: 'user' }])
  expect(JSON.stringify(messages.at(-1))).toContain(image.data)
})

test('calls of before are told where nothing may be called any more', () => {
  const over = { tools: [], formerTools: [spec] }
  expect(said(anthropic, over)).toMatchObject({ tools: [{ name: 'draw' }], tool_choice: { type: 'none' } })
  for (const wire of [chatCompletions, ollama, responses, gemini]) expect(said(wire, over)['tools']).toBeUndefined()
  const told = said(bedrock, over)
  expect(told['toolConfig']).toBeUndefined()
  expect(JSON.stringify(told['messages'])).toContain('draw answered: A cat.')
})
