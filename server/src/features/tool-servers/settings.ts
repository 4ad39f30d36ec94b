/** Whether people have tool servers of their own, and what only the operator says. */
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { Audience, GroupIds } from '@atrium/contract/common'
import { z } from 'zod'
import { declareVariables, defineSettings, setting } from '../../platform/settings/index.ts'

const personal = defineSettings(
  {
    allowed: setting(z.boolean(), {
      default: false,
      env: 'TOOLS_PERSONAL_SERVERS',
      about: 'whether people may add tool servers for themselves, over HTTPS and at public addresses',
    }),
    audience: setting(Audience, { default: 'all-users', strictest: 'admins' }),
    /** Whose members may, where the audience is groups. */
    groupIds: setting(GroupIds, { default: [] }),
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
