/**
 * Programs that models write and people run: in a sandbox, with the files of a chat, and a folder that stays with it.
 * It refuses to give a program anything that its account could not read, or any way to the world; and to keep what it
 * leaves without a bound.
 */
import { codeInterpreterRoutes as routes } from '@atrium/contract/code-interpreter'
import { z } from 'zod'
import { type Feature, modeRule } from '../../core/access/index.ts'
import { type Caller, bindRoutes } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { defineJob } from '../../platform/jobs/types.ts'
import type { BoundSettings } from '../../platform/settings/index.ts'
import type { CodeAccessFields } from './settings.ts'
import type { CodeInterpreterContext, CodeInterpreterDeps } from './context.ts'
import { isPicture, mediaTypeOf } from './media-types.ts'
import { codeResources } from './resources.ts'
import { runProgram } from './run.ts'
import { createCodeFileStore, toCodeFile } from './store.ts'
import { codeTools } from './tool.ts'

export { codeInterpreterSettings } from './settings.ts'
export { codeInterpreterMigrations, codeInterpreterSealed } from './tables.ts'

export const upkeepJob = 'code-interpreter.upkeep'
export const codeFeature = 'code-interpreter'

/** Who may run code. */
export const declareCode = (settings: BoundSettings<CodeAccessFields>): Feature => ({
  name: codeFeature,
  refusal: 'code_interpreter_off',
  async read() {
    const { mode, groupIds } = await settings.read()
    return modeRule(mode, groupIds)
  },
  save: async ({ mode, groupIds }) => void (await settings.change({ mode, groupIds: [...groupIds] })),
})

export const createCodeInterpreter = (deps: CodeInterpreterDeps) => {
  const { features, files, clock } = deps
  const store = createCodeFileStore(deps)
  const context: CodeInterpreterContext = { ...deps, store }
  const access = async ({ accountId, role }: Pick<Caller, 'accountId' | 'role'>) => {
    const [{ mode, source }, allowed] = await Promise.all([
      features.rule(codeFeature),
      features.allows(codeFeature, accountId, role),
    ])
    return { allowed, mode, source }
  }
  const requireChat = async (accountId: string, chatId: string): Promise<void> => {
    if ((await deps.listAttachments(accountId, chatId)) === null) throw fail('chat_not_found')
  }

  const area = bindRoutes({
    name: 'code-interpreter',
    routes,
    handlers: {
      access: (_, { caller }) => access(caller),
      async updateAccess({ body }, { caller }) {
        await features.save(codeFeature, body)
        return access(caller)
      },
      run: ({ body: { language, code, chatId } }, { caller: { accountId }, signal }) =>
        features.whileAllowed(codeFeature, accountId, signal, async (allowed) => {
          if (chatId !== null) await requireChat(accountId, chatId)
          const program = { accountId, chatId, keepsMade: true, language, code, signal: allowed }
          return (await runProgram(context, program)).run
        }),
      async files({ query: { chatId } }, { caller: { accountId } }) {
        if (chatId === undefined) return { items: (await store.ofNoChat(accountId)).map(toCodeFile) }
        await requireChat(accountId, chatId)
        const made = await store.ofChat(accountId, chatId, 'out')
        return { items: [...(await store.ofChat(accountId, chatId, 'keep')), ...made].map(toCodeFile) }
      },
      async kept({ query: { limit, cursor } }, { caller: { accountId } }) {
        const { items, ...rest } = await store.kept(accountId, limit, cursor)
        return { items: items.map((file) => ({ ...toCodeFile(file), chatId: file.chat_id ?? '' })), ...rest }
      },
      async content({ params }, { caller: { accountId } }) {
        const row = await store.read(accountId, params.fileId)
        const body = row && (await files.read(accountId, row.id))
        if (!row || !body) throw fail('code_file_not_found')
        const shown = isPicture(row.name, body)
        return {
          body,
          mediaType: shown ? mediaTypeOf(row.name) : 'application/octet-stream',
          fileName: row.name.split('/').at(-1) ?? 'file',
          disposition: shown ? ('inline' as const) : ('attachment' as const),
          immutable: true,
        }
      },
      async removeFile({ params }, { caller: { accountId } }) {
        const row = await store.read(accountId, params.fileId)
        if (!row) throw fail('code_file_not_found')
        await store.remove([row.id])
        return {}
      },
    },
    jobs: {
      [upkeepJob]: defineJob({
        payload: z.strictObject({}),
        attempts: 3,
        priority: 'low',
        timeoutMs: 5 * 60_000,
        run: (_payload, { signal }) => store.removeExpired(clock.now(), signal),
      }),
    },
  })

  return { area, tools: codeTools(context), resources: codeResources(context), removeChat: store.removeChat }
}
