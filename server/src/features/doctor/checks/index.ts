/** What the doctor looks at itself: the folder, the database, the key, the environment and the certificate. */
import type { DiagnosticCheck } from '../../../platform/diagnostics/checks.ts'
import type { Platform } from '../../../platform/platform.ts'
import { certificateCheck } from './certificate.ts'
import { folderChecks } from './folder.ts'
import { keyCheck } from './key.ts'
import { messageCheck } from './messages.ts'
import { variablesCheck } from './variables.ts'

/** What the process was started with. */
export interface InstanceFacts {
  readonly baseUrl: URL | undefined
  /** DATA_DIR, absolute. */
  readonly dataDir: string
  /** Names of variables that are set, and of those that Atrium reads. */
  readonly variables: { readonly names: readonly string[]; readonly known: readonly string[] }
}

export const instanceChecks = (
  deps: InstanceFacts & Pick<Platform, 'database' | 'instanceKey'>,
): readonly DiagnosticCheck[] => [
  ...folderChecks(deps.dataDir),
  keyCheck(deps.instanceKey, deps.dataDir),
  ...deps.database.checks,
  messageCheck(deps.database),
  variablesCheck(deps.variables),
  certificateCheck(deps.baseUrl),
]
