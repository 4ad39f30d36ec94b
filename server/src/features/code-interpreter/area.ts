/** The area of programs, as `compose()` creates it. */
import { codeInterpreterArea } from '@atrium/contract/code-interpreter'
import type { Features } from '../../core/access/index.ts'
import type { Documents } from '../../core/documents/index.ts'
import type { ChatFiles, Generations } from '../../core/generation/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createSandbox } from '../../platform/sandbox/index.ts'
import {
  codeInterpreterMigrations,
  codeInterpreterSealed,
  codeInterpreterSettings,
  createCodeInterpreter,
  declareCode,
  upkeepJob,
} from './index.ts'

interface Needs {
  readonly access: { readonly features: Features }
  readonly chat: ChatFiles
  readonly documents: Pick<Documents, 'listOriginals'>
  readonly generation: Pick<Generations, 'onScopeRemoved'>
}

export const codeInterpreter = defineArea(codeInterpreterArea)<Needs>()({
  needs: ['access', 'chat', 'documents', 'generation'],
  migrations: codeInterpreterMigrations,
  sealed: codeInterpreterSealed,
  settings: codeInterpreterSettings,
  create(platform, { access: { features }, chat, documents, generation }, { access }) {
    features.register(declareCode(access))
    const sandbox = createSandbox()
    const { area, tools, resources, removeChat } = createCodeInterpreter({
      ...platform,
      features,
      sandbox,
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
