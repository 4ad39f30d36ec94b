/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const publicApiDescription = describeArea({
  name: 'public-api',
  tag: 'public-api',
  errors: {
    model_ambiguous: [400, 'Several providers have a model with this id. Include the provider.'],
  },
})
