/** Whether agents are offered and to whom, and what only the environment says of them. */
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { AgentAudience } from '@atrium/contract/agent-cli'
import { GroupIds } from '@atrium/contract/common'
import { z } from 'zod'
import { declareVariables, defineSettings, setting, wholeNumber, yesNo } from '../../platform/settings/index.ts'

const absolutePath = (path: string): string => resolve(path.replace(/^~(?=\/|$)/, homedir()))
const dayMs = 24 * 60 * 60_000

const access = defineSettings(
  {
    enabled: setting(z.boolean(), {
      default: false,
      env: 'AGENT_CLI_MODELS_ENABLED',
      parse: yesNo,
      about: 'whether coding agents installed on the server can be used; they run as the server’s user',
    }),
    audience: setting(AgentAudience, { default: 'admins' }),
    groupIds: setting(GroupIds, { default: [] }),
  },
  { row: 'agent-cli' },
)

export const agentCliSettings = {
  access,
  ...declareVariables({
    AGENT_CLI_TIMEOUT_MS: [
      wholeNumber(30_000, dayMs),
      'how long an agent may be silent during an answer, in milliseconds',
      { usual: '`600000`' },
    ],
    AGENT_CLI_FILE: [
      z.string().trim().transform(absolutePath),
      'a JSON file with more agents; see [docs/agents.md](docs/agents.md)',
      { usual: 'unset: those that come with Atrium' },
    ],
  }),
}

export type AccessFields = typeof access.fields
