/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const scimDescription = describeArea({
  name: 'scim',
  tag: 'scim',
  errors: {
    scim_filter: [400, 'This filter is not understood. Compare attributes with `eq`, joined by `and`.'],
    scim_path: [400, 'There is no attribute at this path.'],
    scim_no_target: [400, 'There is nothing at this path that could be changed.'],
    scim_value: [400, 'This value does not fit its attribute.'],
    scim_mutability: [400, 'This cannot be changed from the directory.'],
    scim_token_not_found: [404, 'There is no such token of a directory.'],
    scim_token_limit: [409, 'There can be 5 tokens for directories at most. Revoke one first.'],
    version_outdated: [412, 'This changed meanwhile. Read it again first.'],
  },
})
