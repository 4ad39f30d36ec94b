import { expect, test } from 'vitest'
import { bundledDefinitions } from './definitions.ts'
import { inDialect } from './dialect.ts'
import type { Turn } from './types.ts'
import { wires } from './wires/index.ts'

const turn = (system: string | null): Turn => ({
  model: 'some-model',
  system,
  messages: [{ role: 'user', text: 'Hello', images: [] }],
  tools: [],
  options: { temperature: 0.2, top_p: 0.9, num_predict: 50 },
})
const say = (id: string, system: string | null = null) => {
  const definition = bundledDefinitions().find((one) => one.id === id)
  if (!definition) throw new Error(`there is no ${id}`)
  return inDialect(wires[definition.wire], definition).say(turn(system)) as Record<string, unknown>
}

test('a provider without rules of its own is spoken to as the format has it', () => {
  expect(inDialect(wires['chat-completions'], {})).toBe(wires['chat-completions'])
  expect(say('mistral')).toMatchObject({ temperature: 0.2, stream_options: { include_usage: true } })
})

test('what a provider refuses is left out', () => {
  expect(say('cohere')).not.toHaveProperty('stream_options')
  expect(say('cohere')).toMatchObject({ temperature: 0.2, stream: true })
  const kimi = say('kimi-code')
  expect(kimi).not.toHaveProperty('temperature')
  expect(kimi).not.toHaveProperty('top_p')
  expect(kimi).toHaveProperty('messages')
})

test('what a provider insists on is said where nothing else is', () => {
  expect(say('codex-oauth')).toMatchObject({ instructions: expect.stringMatching(/./), store: false, stream: true })
  expect(say('codex-oauth', 'Be brief.')).toMatchObject({ instructions: 'Be brief.' })
  expect(say('codex-oauth')).not.toHaveProperty('temperature')
  expect(say('codex-oauth')).not.toHaveProperty('max_output_tokens')
})
