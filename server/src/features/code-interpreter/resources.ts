/** What files from programs are to the rest of the product: they count, are taken along, and go with their account. */
import type { codeInterpreterArea } from '@atrium/contract/code-interpreter'
import type { ExportFiles, ResourcesOf } from '../../core/resources/index.ts'
import { safeName } from '../../platform/archive/write.ts'
import { readWhileThere } from '../../platform/files/read.ts'
import type { CodeInterpreterContext } from './context.ts'

const atOnce = 100

export const codeResources = (context: CodeInterpreterContext): ResourcesOf<typeof codeInterpreterArea> => {
  const { store } = context
  return {
    'code-file': {
      count: async (accountId) => (await store.sum(accountId)).count,
      storage: {
        sum: store.sum,
        async largest(accountId, limit) {
          const rows = await store.largest(accountId, limit)
          return rows.map(({ id, name, size_bytes: bytes, chat_id: chatId }) => ({
            id,
            name,
            bytes,
            chatId,
            trashed: false,
          }))
        },
      },
      export: exportFiles(context),
      removeAccount: store.removeAccount,
      transfer: { never: 'What programs left is its owner’s alone.' },
      detach: async (trx, type, id) => {
        if (type === 'chat') await store.detachChat(trx, id)
      },
    },
  }
}

const exportFiles = ({ store, files }: CodeInterpreterContext): ExportFiles =>
  async function* (accountId, signal) {
    for (let after = ''; ; ) {
      const rows = await store.page(accountId, after, atOnce)
      for (const row of rows) {
        signal.throwIfAborted()
        const file = await files.open(accountId, row.id)
        const folder = `code/${row.chat_id?.slice(-8) ?? 'no chat'}/${row.folder}/${row.id.slice(-8)}`
        if (file)
          yield {
            name: safeName(row.name.replaceAll('/', ' '), folder),
            modifiedAt: row.created_at,
            pack: true,
            content: readWhileThere(file),
          }
      }
      const last = rows.at(-1)
      if (!last || rows.length < atOnce) return
      after = last.id
    }
  }
