/** The area of the search over everything, as `compose()` creates it. */
import { searchArea } from '@atrium/contract/search'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { Accounts } from '../accounts/index.ts'
import { type FindHits, type SearchDeps, createSearch } from './index.ts'

interface Needs {
  readonly accounts: Accounts
  readonly chat: { readonly find: FindHits; readonly indexIncomplete: SearchDeps['incomplete'] }
  readonly documents: { readonly find: FindHits }
}

export const search = defineArea(searchArea)<Needs>()({
  needs: ['accounts', 'chat', 'documents'],
  create: (_platform, { accounts, chat, documents }) => ({
    ...createSearch({
      finders: [chat.find, documents.find],
      incomplete: chat.indexIncomplete,
      namesOf: accounts.directory.names,
    }),
    api: undefined,
  }),
})
