/** The area of field notes, as `compose()` creates it. */
import { fieldNotesArea } from '@atrium/contract/field-notes'
import type { Access } from '../../core/access/index.ts'
import type { Accounts } from '../../core/accounts/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createFieldNotes } from './index.ts'
import { fieldNoteMigrations, fieldNoteSealed } from './tables.ts'

export const fieldNotes = defineArea(fieldNotesArea)<{ access: Access; accounts: Accounts }>()({
  needs: ['access', 'accounts'],
  migrations: fieldNoteMigrations,
  sealed: fieldNoteSealed,
  create: (platform, { access, accounts }) => ({
    ...createFieldNotes({ ...platform, access, namesOf: accounts.accountNames.names }),
    api: undefined,
  }),
})
