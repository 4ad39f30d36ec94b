/** The context that the modules of the area share. */
import type { Access } from '../../core/access/index.ts'
import type { Platform } from '../../platform/platform.ts'
import type { FieldNoteStore, StoredFieldNote } from './store.ts'

export interface FieldNotesDeps extends Pick<Platform, 'announce' | 'clock' | 'database' | 'indexes' | 'vault'> {
  readonly access: Access
  /** What accounts are called, by id. */
  readonly namesOf: (accountIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

export interface FieldNoteContext extends FieldNotesDeps {
  readonly store: FieldNoteStore
}

/** Tells the open pages of these accounts that what they see has changed. */
export const announceTo = async ({ announce }: FieldNoteContext, accountIds: readonly string[]): Promise<void> => {
  for (const accountId of new Set(accountIds)) await announce(accountId, { type: 'field-notes-changed', data: {} })
}

/** Tells the owner of a field note and everybody who reads it. */
export const announceChange = async (
  context: FieldNoteContext,
  { id, accountId }: Pick<StoredFieldNote, 'id' | 'accountId'>,
): Promise<void> => announceTo(context, [accountId, ...(await context.access.listReaders('field-note', id))])
