/** What only the operator says of tool servers. */
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { declareVariables } from '../../platform/settings/index.ts'

export const toolServersSettings = declareVariables({
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
