/** Dependencies of the area, and the context that its modules share. */
import type { Features } from '../../core/access/index.ts'
import type { ChatFile, ChatFiles } from '../../core/generation/index.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Sandbox } from '../../platform/sandbox/index.ts'
import type { CodeFileStore } from './store.ts'

export interface CodeInterpreterDeps extends Pick<Platform, 'clock' | 'database' | 'files' | 'log' | 'vault'> {
  readonly features: Pick<Features, 'allows' | 'rule' | 'save' | 'whileAllowed'>
  readonly sandbox: Sandbox
  readonly listAttachments: ChatFiles['listFiles']
  readonly listDocuments: (accountId: string, chatId: string) => Promise<readonly ChatFile[]>
}

export interface CodeInterpreterContext extends CodeInterpreterDeps {
  readonly store: CodeFileStore
}
