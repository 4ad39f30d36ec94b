/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const apiTokensDescription = describeArea({
  name: 'api-tokens',
  tag: 'authentication',
  errors: {
    token_limit: [409, 'You can have at most 25 API tokens. Revoke one first.'],
  },
  audit: ['token.create', 'token.update', 'token.revoke'],
})
