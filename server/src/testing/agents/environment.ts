/** The environment of a server on which `tester` is installed, an agent that answers, and others that are of no use. */
import { delimiter, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Where the commands are. */
export const agentCommands = here('./bin')

export const agentEnvironment = {
  AGENT_CLI_FILE: here('./agents.json'),
  PATH: [agentCommands, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
}
