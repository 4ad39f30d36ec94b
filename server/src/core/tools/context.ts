/** What the parts of the area share. */
import type { Platform } from '../../platform/platform.ts'
import type { BoundSettings } from '../../platform/settings/index.ts'
import type { Catalogue } from './catalogue.ts'
import type { Execute } from './execute.ts'
import type { ToolsFields } from './settings.ts'
import type { Tool } from './types.ts'

export interface ToolsDeps extends Pick<Platform, 'announceAll' | 'clock' | 'log'> {
  readonly settings: Pick<BoundSettings<ToolsFields>, 'change' | 'read'>
  /** null: it is not active. */
  readonly roleOf: (accountId: string) => Promise<'admin' | 'user' | null>
  /** As the account has set it; null: it goes by the device. */
  readonly timeZoneOf: (accountId: string) => Promise<string | null>
}

export interface ToolsContext extends ToolsDeps {
  readonly builtins: () => readonly Tool[]
  readonly catalogue: Catalogue
  readonly execute: Execute
}
