/** What the room of one-time links needs, and what its parts share. */
import type { Groups } from '../../groups/groups.ts'
import type { AccountNames } from '../people/account-names.ts'
import type { AccountContext } from '../types.ts'
import type { Notices } from '../notices/notices.ts'
import type { LinkStore } from './store.ts'

export interface LinkDeps extends AccountContext {
  readonly groups: Pick<Groups, 'find' | 'addMember'>
  readonly directory: Pick<AccountNames, 'names'>
}

export interface LinkContext extends LinkDeps {
  readonly links: LinkStore
  readonly notices: Notices
}
