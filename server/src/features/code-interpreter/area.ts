/** The area of programs, as `compose()` creates it. */
import { codeInterpreterArea } from '@atrium/contract/code-interpreter'
import type { Accounts } from '../../core/accounts/index.ts'
import type { Documents } from '../../core/documents/index.ts'
import type { ChatFiles, Generations } from '../../core/generation/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createSandbox } from '../../platform/sandbox/index.ts'
import {
  codeInterpreterMigrations,
  codeInterpreterSealed,
  codeInterpreterSettings,
  createCodeInterpreter,
  upkeepJob,
} from './index.ts'

interface Needs {
  readonly accounts: Accounts
  readonly chat: ChatFiles
  readonly documents: Pick<Documents, 'listOriginals'>
  readonly generation: Pick<Generations, 'onScopeRemoved'>
}

export const codeInterpreter = defineArea(codeInterpreterArea)<Needs>()({
  needs: ['accounts', 'chat', 'documents', 'generation'],
  migrations: codeInterpreterMigrations,
  sealed: codeInterpreterSealed,
  settings: codeInterpreterSettings,
  create(platform, { accounts, chat, documents, generation }, { access }) {
    const sandbox = createSandbox()
    const { area, tools, resources, removeChat } = createCodeInterpreter({
      ...platform,
      settings: access,
      sandbox,
      async roleOf(accountId) {
        const user = await accounts.user(accountId)
        return user?.status === 'active' ? user.role : null
      },
      listAttachments: chat.listFiles,
      listDocuments: documents.listOriginals,
    })
    generation.onScopeRemoved(removeChat)
    return {
      ...area,
      tools,
      resources,
      every: [[upkeepJob, 3600_000]],
      drain: async () => sandbox.close(),
      api: undefined,
    }
  },
})
