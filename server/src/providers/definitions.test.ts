import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Definition } from '@atrium/contract/connections'
import { afterEach, describe, expect, test } from 'vitest'
import { bundledDefinitions, readDefinitions } from './definitions.ts'
import { wires } from './wires/index.ts'

const all = bundledDefinitions()
const one = (id: string) => {
  const found = all.find((definition) => definition.id === id)
  if (!found) throw new Error(`there is no ${id}`)
  return found
}

test('everybody’s first providers and local servers are there', () => {
  const wanted =
    'openai anthropic gemini mistral groq deepseek xai openrouter together fireworks cohere perplexity github ' +
    'huggingface bedrock azure vertex kimi-code codex-oauth llama-cpp lm-studio vllm sglang mlx-lm localai ' +
    'elevenlabs stability fal comfyui automatic1111 whisper-cpp speaches kokoro'
  expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(wanted.split(' ')))
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
})

describe.each(all.map((definition) => [definition.id, definition] as const))('%s', (_id, definition) => {
  const { wire, local, modelsUrl } = definition
  const presets = (definition.variables ?? []).map(({ default: preset }) => preset)
  const addresses = [
    definition.endpoint,
    definition.base_url,
    modelsUrl,
    ...Object.values(definition.capabilities ?? {}).flatMap((block) => [block?.endpoint, block?.models_endpoint]),
    ...presets.filter((preset) => typeof preset === 'string' && preset.includes('://')),
  ].filter((address) => typeof address === 'string')

  test('can be exported and imported again', () => {
    const ours = ['wire', 'formats', 'attribution', 'signIn', 'local', 'modelsUrl', 'omits', 'insists', 'unlisted']
    const shared = Object.fromEntries(Object.entries(definition).filter(([name]) => !ours.includes(name)))
    expect(Definition.parse(JSON.parse(JSON.stringify(shared)))).toEqual(shared)
  })

  test('speaks a format that there is, and says where its documentation is', () => {
    expect(Object.keys(wires)).toContain(wire)
    expect(new URL(definition.documentation_url ?? '').protocol).toBe('https:')
    expect(definition.description).toMatch(/\.$/)
  })

  test('leads to absolute addresses: over TLS, unless they are on this machine', () => {
    for (const address of addresses) {
      const url = new URL(address)
      expect([url.username, url.password, url.hash]).toEqual(['', '', ''])
      if (local) expect(url.hostname).toBe('localhost')
      else expect(url.protocol).toBe('https:')
    }
  })

  test('names every part of an address that is left to fill in as a variable', () => {
    const names = addresses.flatMap((address) => [...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    const known = (definition.variables ?? []).filter(({ required }) => required).map(({ name }) => name)
    expect(known).toEqual(
      expect.arrayContaining([...new Set(names)].filter((name) => !['model', 'voice_id'].includes(name ?? ''))),
    )
  })

  test('has a variable for every address that its capabilities let one change', () => {
    const names = (definition.variables ?? []).map(({ name }) => name)
    for (const block of Object.values(definition.capabilities ?? {})) {
      const name = block?.config?.endpoint_variable
      if (name) expect(names).toContain(name)
    }
  })

  test('sends no generation setting that nobody chose', () => {
    const chosen = /^(temperature|max_tokens|top_p|top_k|min_p|frequency_penalty|presence_penalty)$/
    for (const { name, default: preset } of definition.variables ?? []) {
      if (chosen.test(name)) expect(preset).toBeUndefined()
    }
  })
})

test('keys of operators have the names that the providers’ own tools use', () => {
  const names = Object.fromEntries(all.map(({ id, auth }) => [id, auth.key_env]))
  expect(names).toMatchObject({
    openai: 'OPENAI_API_KEY',
    anthropic: 'ANTHROPIC_API_KEY',
    gemini: 'GEMINI_API_KEY',
    mistral: 'MISTRAL_API_KEY',
    xai: 'XAI_API_KEY',
    bedrock: 'AWS_BEARER_TOKEN_BEDROCK',
    huggingface: 'HUGGINGFACE_API_KEY',
    'mlx-lm': '',
  })
})

test('one aggregator takes attribution, one provider is entered by the sign-in', () => {
  expect(all.filter(({ attribution }) => attribution).map(({ id }) => id)).toEqual(['openrouter'])
  expect(all.filter(({ signIn }) => signIn).map(({ id }) => id)).toEqual(['codex-oauth'])
  expect(one('codex-oauth').wire).toBe('responses')
})

describe('a folder of definitions', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-definitions-'))
  const read = () => readDefinitions(pathToFileURL(`${folder}/`))
  afterEach(() => rmSync(join(folder, 'sample.json'), { force: true }))
  const write = (content: string) => writeFileSync(join(folder, 'sample.json'), content)
  const sample = {
    id: 'sample',
    name: 'Sample',
    type: 'completion',
    wire: 'chat-completions',
    endpoint: 'https://sample.example/v1/chat/completions',
    auth: { header: '', key_env: '' },
    model_map: ['one'],
  }

  test('gives what a new file says, with nothing else to change', () => {
    write(JSON.stringify(sample))
    expect(read()).toEqual([sample])
  })

  test.each([
    ['no JSON', '{'],
    ['a format that there is not', JSON.stringify({ ...sample, wire: 'morse' })],
    ['an address without a scheme', JSON.stringify({ ...sample, endpoint: 'sample.example' })],
    ['a member that nobody knows', JSON.stringify({ ...sample, colour: 'red' })],
    ['another id than its name', JSON.stringify({ ...sample, id: 'other' })],
  ])('names the file that has %s', (_what, content) => {
    write(content)
    expect(read).toThrow(/The definition sample\.json cannot be used\./)
  })
})
