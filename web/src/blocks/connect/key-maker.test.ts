import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makerOfKey } from './key-maker.ts'

const hex = '0123456789abcdef0123456789abcdef'
const shapes: readonly (readonly [string, string | null])[] = [
  [`sk-ant-api03-${hex}`, 'anthropic'],
  [`sk-or-v1-${hex}`, 'openrouter'],
  [`sk-proj-${hex}`, 'openai'],
  [`sk-${hex.toUpperCase()}T3BlbkFJ`, 'openai'],
  [`sk-${hex}`, 'deepseek'],
  [`  sk-kimi-${hex}\n`, 'kimi-code'],
  [`gsk_${hex}`, 'groq'],
  [`AIzaSy${hex}`, 'gemini'],
  [`xai-${hex}`, 'xai'],
  [`hf_${hex}`, 'huggingface'],
  [`pplx-${hex}`, 'perplexity'],
  [`fw_${hex}`, 'fireworks'],
  [`tgp_v1_${hex}`, 'together'],
  [`github_pat_${hex}`, 'github'],
  [`ABSK${hex}`, 'bedrock'],
  [hex, null],
  ['', null],
  ['sk', null],
]

test.each(shapes)('the maker of %j is %s', (key, maker) => {
  expect(makerOfKey(key)).toBe(maker)
})

test('every maker that is told comes with Atrium and takes a key', () => {
  const folder = new URL('../../../../server/src/providers/definitions/', import.meta.url)
  const known = new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map(
        (name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as { id: string; auth: { header: string } },
      )
      .map(({ id, auth }) => [id, auth.header]),
  )
  for (const [, maker] of shapes) if (maker !== null) expect(known.get(maker), maker).toBeTruthy()
})
