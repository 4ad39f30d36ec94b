/** Documents that are handed on before the first hand-over is sealed. */
import { expect, test } from 'vitest'
import { vaultMigrations } from '../../../platform/vault/tables.ts'
import { openVault } from '../../../platform/vault/vault.ts'
import { testClock } from '../../../testing/clock.ts'
import { onBothDatabases } from '../../../testing/databases.ts'
import { documentMigrations, type DocumentTables } from '../tables.ts'
import { createDocumentStore, sealName } from './index.ts'

onBothDatabases('a document that is handed on', (open) => {
  test('opens for whoever has it once the first owner is gone, in whatever collection it lies', async () => {
    const database = await open([...vaultMigrations, ...documentMigrations])
    const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 3), clock: testClock() })
    const { contents, rows, transfers } = createDocumentStore({ database, vault })
    const ann = await vault.keyring('ann')
    const none = {
      session_id: null,
      collection_id: null,
      left_collection_id: null,
      url: null,
      file_id: null,
      content_digest: null,
      digest: null,
      failure_code: null,
      job_id: null,
      parts: null,
      parts_read: null,
      unread_from: null,
      read_by: null,
      embedding_model: null,
      deleted_at: null,
      sealed_by: null,
    } as const
    const counts = { size_bytes: 3, revision: 1, content_chars: 3, tokens: 1, chunks: 0, embedded: 0 }
    const form = { file_type: 'txt', media_type: 'text/plain', state: 'completed', embedding_state: 'off' } as const
    const times = { chunk_size: 100, chunk_overlap: 0, uploaded_at: 1, updated_at: 1 }
    const document = {
      id: 'd',
      account_id: 'ann',
      name: sealName(ann, 'd', 'Wax'),
      ...none,
      ...counts,
      ...form,
      ...times,
    }
    const move = async (fromId: string, toId: string) => {
      const sides = { fromId, toId, from: await vault.keyring(fromId), to: await vault.keyring(toId) }
      await database.write<DocumentTables, void>(async (trx) => {
        const row = await transfers.readIn(trx, 'd')
        if (row) await transfers.move(trx, [row], sides, null)
      })
    }
    const textOf = async () => {
      const [row] = await rows.readMany(['d'])
      return row && { owner: row.account_id, sealedBy: row.sealed_by, text: (await contents.text(row))?.content }
    }

    await rows.insert(document)
    await database.write<DocumentTables, void>((trx) =>
      contents.addTexts(trx, [contents.sealText(ann, 'd', 0, 'Wax'), contents.sealSegments(ann, 'd', [])]),
    )
    await move('ann', 'ben')
    await move('ben', 'cid')
    await transfers.resealFormer('ben')
    expect(await textOf()).toEqual({ owner: 'cid', sealedBy: 'ann', text: 'Wax' })
    await transfers.resealFormer('ann')
    await vault.removeKeys('ann')
    expect(await textOf()).toEqual({ owner: 'cid', sealedBy: null, text: 'Wax' })
  })
})
