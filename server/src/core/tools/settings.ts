/** Who can let models use tools, and what administrators chose for each built-in one. */
import { AccessMode, GroupIds, PlainAccessMode } from '@atrium/contract/common'
import { ToolMode, toolRounds } from '@atrium/contract/tools'
import { z } from 'zod'
import { defineSettings, oneOf, setting } from '../../platform/settings/index.ts'

const access = defineSettings(
  {
    mode: setting(AccessMode, {
      default: 'all-users',
      env: 'TOOLS_ACCESS_MODE',
      parse: oneOf(PlainAccessMode.options),
      about: 'who can let models use tools: `off`, `admins` or `all-users`',
      strictest: 'off',
    }),
    /** Whose members can, where the mode is groups. */
    groupIds: setting(GroupIds, { default: [] }),
    maxRounds: setting(z.number().int().min(toolRounds.least).max(toolRounds.most), {
      default: toolRounds.usual,
      env: 'TOOLS_MAX_ROUNDS',
      about: 'the most requests to a model for one answer that uses tools, 1 to 50; in the last one, it gets no tools',
    }),
    /** By name; a tool that is not named goes by what it does. */
    builtin: setting(z.record(z.string(), ToolMode), { default: {} }),
  },
  { row: 'tools' },
)

export const toolsSettings = { access }
export type ToolsFields = typeof access.fields
