/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const apiTokensDescription = describeArea({
  name: 'api-tokens',
  tag: 'authentication',
  errors: {
    token_limit: [409, 'There can be 25 API tokens at most. Revoke one first.'],
  },
  audit: ['token.create', 'token.update', 'token.revoke'],
})
