/** Who may run code on this instance. */
import { AccessMode, GroupIds, PlainAccessMode } from '@atrium/contract/common'
import { declareVariables, defineSettings, oneOf, setting } from '../../platform/settings/index.ts'

const { CODE_INTERPRETER } = declareVariables({
  CODE_INTERPRETER: [
    oneOf(PlainAccessMode.options),
    'who can run code, in chats and with the Run button: `off`, `admins` or `all-users`',
    { usual: 'all-users' },
  ],
})

const access = defineSettings(
  {
    mode: setting(AccessMode, { default: 'all-users', strictest: 'off', env: CODE_INTERPRETER }),
    groupIds: setting(GroupIds, { default: [] }),
  },
  { row: 'code-interpreter' },
)

export const codeInterpreterSettings = { access, CODE_INTERPRETER }

export type CodeAccessFields = typeof access.fields
