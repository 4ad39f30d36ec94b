/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const groupsDescription = describeArea({
  name: 'groups',
  tag: 'user-administration',
  audit: ['group.create', 'group.update', 'group.delete', 'group.member-add', 'group.member-remove'],
})
