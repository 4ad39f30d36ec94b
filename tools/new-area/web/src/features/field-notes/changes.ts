/** What can be done with field notes, and how the list follows what happens here and elsewhere. */
import { type FieldNote, fieldNotesRoutes } from '@atrium/contract/field-notes'
import { trashRoutes } from '@atrium/contract/trash'
import { onAccountEvent } from '../../api/account-events.ts'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { refresh } from '../../api/query.ts'
import { translate } from '../../lib/texts.ts'
import { toast } from '../../ui/toaster.tsx'

export const refreshFieldNotes = (): Promise<void> => refresh(fieldNotesRoutes.list)

onAccountEvent('field-notes-changed', () => void refreshFieldNotes())

/** Renames one, or creates it where there is none yet. */
export async function saveFieldNote(fieldNote: FieldNote | null, title: string): Promise<void> {
  await (fieldNote
    ? call(fieldNotesRoutes.update, { params: { fieldNoteId: fieldNote.id }, body: { title } })
    : call(fieldNotesRoutes.create, { body: { title } }))
  await refreshFieldNotes()
}

/** Moves one to the trash, with ten seconds to take it back. */
export async function removeFieldNote({ id, title }: FieldNote): Promise<void> {
  const undo = () => act(() => call(trashRoutes.restore, { params: { id } }))
  await act(async () => {
    await call(fieldNotesRoutes.remove, { params: { fieldNoteId: id } })
    toast(translate('field-notes:removed', { title }), {
      action: { label: translate('field-notes:undo'), onClick: () => void undo() },
    })
  })
}

/** Does something, tells why where that failed, and reads the lists again. */
async function act(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
  }
  await Promise.all([refreshFieldNotes(), refresh(trashRoutes.list)])
}
