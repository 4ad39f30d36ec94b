/** Whether people have tool servers of their own, and what only the operator says. */
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { declareVariables, defineSettings, setting } from '../../platform/settings/index.ts'

const personal = defineSettings(
  {
    allowed: setting(z.boolean(), {
      default: false,
      env: 'TOOLS_PERSONAL_SERVERS',
      about: 'whether people may add tool servers for themselves, over HTTPS and at public addresses',
    }),
  },
  { row: 'tool-servers' },
)

const variables = declareVariables({
  TOOLS_STDIO_FILE: [
    z
      .string()
      .trim()
      .min(1)
      .transform((path) => resolve(path.replace(/^~(?=\/|$)/, homedir()))),
    'a JSON file with tool servers that run on this machine (`mcpServers`); nothing in the app can add or change their commands',
    { usual: 'unset: none' },
  ],
})

export const toolServersSettings = { personal, ...variables }
export type PersonalServersFields = typeof personal.fields
