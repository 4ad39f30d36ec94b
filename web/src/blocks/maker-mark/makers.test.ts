import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makerOfModel, makerOfProvider } from './makers.ts'

const definitions = join(import.meta.dirname, '../../../../server/src/providers/definitions')
const ids = readdirSync(definitions).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? [])
const plugin = (providerId: string, name: string) => makerOfProvider({ providerType: 'plugin', providerId }, name)

test('every definition that comes with Atrium has a mark of its own', () => {
  expect(ids.length).toBeGreaterThan(20)
  // One without a mark would get letters of this name.
  const marks = ids.map((id) => plugin(id, 'ZZ'))
  expect(marks.filter(({ letters }) => letters === 'Zz')).toEqual([])
  expect(new Set(marks.map(({ letters }) => letters)).size).toBe(ids.length)
})

test('another provider gets letters of its name, always the same', () => {
  expect(plugin('own', 'Team Server').letters).toBe('Ts')
  expect(plugin('own', 'intern').letters).toBe('In')
  expect(plugin('own', '字')).toMatchObject({ letters: '字' })
  expect(plugin('own', '…').letters).toBe('?')
  expect(plugin('own', 'intern')).toEqual(plugin('other', 'intern'))
})

test.each([
  ['openrouter', 'anthropic/claude-sonnet-4', 'An'],
  ['bedrock', 'us.anthropic.claude-opus-4-v1:0', 'An'],
  ['together', 'meta-llama/Llama-3.3-70B-Instruct-Turbo', 'Me'],
  ['together', 'deepseek-ai/DeepSeek-R1-Distill-Llama-70B', 'Ds'],
  ['azure', 'gpt-5-mini', 'Oa'],
  ['openai', 'o3-mini', 'Oa'],
  ['openai', 'something-new', 'Oa'],
  ['groq', 'qwen/qwen3-32b', 'Qw'],
  ['own', 'delphi-2', 'Te'],
])('at %s, %s has the mark %s', (providerId, model, letters) => {
  expect(makerOfModel({ providerType: 'plugin', providerId, model }, 'Team').letters).toBe(letters)
})

test('a local model that no family is known of has the mark of the runtime', () => {
  const selection = { providerType: 'local', providerId: null, model: 'echo' } as const
  expect(makerOfModel(selection, 'Ollama').letters).toBe('Ol')
})
