/** Dependencies of the area, and the context that its modules share. */
import type { ChatFile, ChatFiles } from '../../core/generation/index.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Sandbox } from '../../platform/sandbox/index.ts'
import type { BoundSettings } from '../../platform/settings/index.ts'
import type { CodeAccessFields } from './settings.ts'
import type { CodeFileStore } from './store.ts'

export interface CodeInterpreterDeps extends Pick<Platform, 'clock' | 'database' | 'files' | 'log' | 'vault'> {
  readonly settings: BoundSettings<CodeAccessFields>
  readonly sandbox: Sandbox
  /** The role of an account that may do anything here; null: it may not. */
  readonly roleOf: (accountId: string) => Promise<'admin' | 'user' | null>
  readonly listAttachments: ChatFiles['listFiles']
  readonly listDocuments: (accountId: string, chatId: string) => Promise<readonly ChatFile[]>
}

export interface CodeInterpreterContext extends CodeInterpreterDeps {
  readonly store: CodeFileStore
  /** Whether an account may run code now. */
  readonly allows: (accountId: string) => Promise<boolean>
  /** The same of an active account with this role. */
  readonly allowsRole: (role: 'admin' | 'user') => Promise<boolean>
}
