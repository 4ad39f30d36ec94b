/** Commands for tests that are agents, and the file in which an operator names them. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface TestAgents {
  /** For PATH. */
  readonly path: string
  /** For AGENT_CLI_FILE. */
  readonly file: string
  remove(): Promise<void>
}

const script = fileURLToPath(new URL('./acp-agent.ts', import.meta.url))

/** `tester`, which answers, `models` as it, and one for each way in which an agent is of no use. */
export const makeTestAgents = async (): Promise<TestAgents> => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-agents-'))
  const command = async (name: string, source: string): Promise<void> => {
    await writeFile(join(folder, name), source)
    await chmod(join(folder, name), 0o755)
  }
  const node = `exec "${process.execPath}" "${script}"`
  await command('tester', `#!/bin/sh\n${node} "$@"\n`)
  const agent = (id: string, args: string[], more: object = {}) => {
    const base = { id, name: `The ${id}`, command: 'tester', version: ['version'], speaks: 'acp', args, models: [] }
    return { ...base, signIn: `${id} login`, ...more }
  }
  const file = join(folder, 'agents.json')
  const agents = [
    agent('tester', ['acp'], { listModels: ['models'] }),
    agent('signed-out', ['signed-out']),
    agent('noise', ['noise']),
    agent('ends', ['ends']),
    agent('gone', ['acp'], { command: 'not-installed-anywhere' }),
  ]
  await writeFile(file, JSON.stringify(agents))
  return { path: folder, file, remove: () => rm(folder, { recursive: true, force: true }) }
}
