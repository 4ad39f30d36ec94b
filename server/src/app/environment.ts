/** Every variable of the environment: those of the process, and those that the areas declare. */
import { secondFactorSettings, sessionSettings, accountVariables } from '../core/accounts/index.ts'
import { connectionVariables } from '../core/connections/index.ts'
import { mailSettings } from '../core/mail/index.ts'
import { instanceSettings } from '../core/settings/index.ts'
import { auditSettings } from '../features/audit/index.ts'
import { chatVariables } from '../features/chat/index.ts'
import { webSearchSettings } from '../features/web-search/index.ts'
import { type Variable, variablesOf } from '../platform/settings/index.ts'
import { processVariables } from './process-variables.ts'
import { providerVariables } from './sign-in-providers.ts'

export const environmentVariables: readonly Variable[] = [
  ...Object.values(processVariables),
  ...variablesOf([instanceSettings]),
  ...Object.values(connectionVariables),
  ...Object.values(chatVariables),
  ...variablesOf([webSearchSettings, secondFactorSettings, sessionSettings]),
  ...Object.values(accountVariables),
  ...Object.values(providerVariables),
  ...variablesOf([mailSettings, auditSettings]),
]
