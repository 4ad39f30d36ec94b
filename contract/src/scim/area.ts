/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const scimDescription = describeArea({
  name: 'scim',
  tag: 'scim',
  errors: {
    scim_filter: [400, 'This filter isn’t supported. Compare attributes with `eq`, joined by `and`.'],
    scim_path: [400, 'No attribute found at this path.'],
    scim_no_target: [400, 'Nothing to change at this path.'],
    scim_value: [400, 'This value isn’t valid for its attribute.'],
    scim_mutability: [400, 'This can’t be changed from the directory.'],
    scim_token_not_found: [404, 'Directory token not found.'],
    scim_token_limit: [409, 'You can have at most 5 directory tokens. Revoke one first.'],
    version_outdated: [412, 'This was changed in the meantime. Read it again first.'],
  },
})
