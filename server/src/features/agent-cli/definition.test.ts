import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { permissionsOf, readAgents } from './definition.ts'

const readFile = async (content: unknown) => {
  const file = join(await mkdtemp(join(tmpdir(), 'agents-')), 'agents.json')
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  return await readAgents(file)
}

test('every agent that comes with Atrium can be used, and says whether it asks for permission', async () => {
  const known = await readAgents(undefined)
  expect(Object.fromEntries(known.map((agent) => [agent.id, permissionsOf(agent)]))).toEqual({
    claude: 'ask',
    codex: 'read-only',
    opencode: 'ask',
    gemini: 'ask',
    kiro: 'ask',
    goose: 'ask',
    copilot: 'ask',
    qwen: 'ask',
    pi: 'read-only',
  })
})

test('an agent of the operator stands in the place of one with the same id, and beside the others', async () => {
  const own = { name: 'Mine', command: 'mine', speaks: 'acp' }
  const agents = await readFile([
    { id: 'codex', ...own },
    { id: 'other', ...own, speaks: 'jsonl', lines: { input: 'words', rules: [] } },
  ])
  expect(agents.filter(({ id }) => id === 'codex')).toMatchObject([{ name: 'Mine', speaks: 'acp', args: [] }])
  expect(agents).toHaveLength(10)
  expect(agents.map((agent) => (agent.id === 'other' ? permissionsOf(agent) : null))).toContain('own')
})

const lines = { input: 'words', rules: [] as unknown[] }
const agent = { id: 'mine', name: 'Mine', command: 'mine', speaks: 'jsonl', lines }

test.each([
  ['no JSON', '{', /AGENT_CLI_FILE/],
  ['a command with a way in it', [{ ...agent, command: 'bin/mine' }], /a name without slashes, or an absolute path/],
  ['a field that nobody knows', [{ ...agent, shell: true }], /shell/],
  ['a pattern that is none', [{ ...agent, listModels: { args: [], pattern: '(', model: '$1' } }], /listModels/],
  ['a rule that tells nothing', [{ ...agent, lines: { ...lines, rules: [{ tells: 'joy', when: {} }] } }], /rules/],
  ['a rule without its fields', [{ ...agent, lines: { ...lines, rules: [{ tells: 'text', when: {} }] } }], /text/],
])('a file with %s is refused, and said to be at fault', async (_, content, message) => {
  await expect(readFile(content)).rejects.toThrow(message)
})
