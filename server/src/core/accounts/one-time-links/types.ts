/** What the room of one-time links needs, and what its parts share. */
import type { Groups } from '../../groups/groups.ts'
import type { Directory } from '../people/account-names.ts'
import type { AccountParts } from '../types.ts'
import type { Notices } from '../notices/notices.ts'
import type { LinkStore } from './store.ts'

export interface LinkDeps extends AccountParts {
  readonly groups: Pick<Groups, 'find' | 'addMember'>
  readonly directory: Pick<Directory, 'names'>
}

export interface LinkParts extends LinkDeps {
  readonly links: LinkStore
  readonly notices: Notices
}
