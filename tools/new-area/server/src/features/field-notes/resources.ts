/** What field notes are to the rest of the product: how they are shared, found, counted, restored, taken along and removed. */
import type { fieldNotesArea } from '@atrium/contract/field-notes'
import { createTrash, type ExportFiles, type ResourcesOf } from '../../core/resources/index.ts'
import { jsonBytes } from '../../platform/archive/write.ts'
import { announceChange, announceTo, type FieldNoteContext } from './context.ts'
import { createFieldNoteSearch } from './search.ts'
import { fieldNotePlaces, type StoredFieldNote, toFieldNote } from './store.ts'

export const fieldNoteResources = (context: FieldNoteContext): ResourcesOf<typeof fieldNotesArea> => {
  const { store } = context
  return {
    'field-note': {
      missing: 'field_note_not_found',
      places: fieldNotePlaces,
      within: null,
      async describe(ids) {
        const fieldNotes = await store.readMany(ids)
        return new Map(fieldNotes.map(({ id, accountId, title }) => [id, { accountId, name: title }]))
      },
      changed: (_id, accountIds) => announceTo(context, accountIds),
      async list(accountId, limit, cursor) {
        const { items, nextCursor } = await store.page(accountId, [], limit, cursor)
        return { items: items.map(({ id, title, updatedAt }) => ({ id, name: title, updatedAt })), nextCursor }
      },
      search: createFieldNoteSearch(context),
      trash: createTrash(store.trash, {
        titleOf: ({ title }) => title,
        async restore(fieldNote) {
          if (!(await store.replace(fieldNote, { ...fieldNote, deletedAt: null }))) return false
          await announceChange(context, fieldNote)
          return true
        },
      }),
      count: store.count,
      export: exportFieldNotes(context),
      removeAccount: store.removeAccount,
      transfer: { never: 'It stays with who wrote it.' },
    },
  }
}

/** One file of all own ones, without those in the trash. */
const exportFieldNotes = ({ clock, store }: FieldNoteContext): ExportFiles =>
  async function* (accountId, signal) {
    const fieldNotes: StoredFieldNote[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      signal.throwIfAborted()
      const { items, nextCursor } = await store.page(accountId, [], 100, cursor)
      fieldNotes.push(...items)
      cursor = nextCursor
    }
    const content = jsonBytes(fieldNotes.map((fieldNote) => toFieldNote(fieldNote, null)))
    yield { name: 'field-notes.json', modifiedAt: clock.now(), pack: true, content }
  }
