/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const localRuntimeDescription = describeArea({
  name: 'local-runtime',
  tag: 'local-runtime',
  audit: ['model.create', 'model.delete', 'model.push'],
  jobs: ['local-runtime.create', 'local-runtime.pull', 'local-runtime.pull-all', 'local-runtime.push'],
  scopes: ['read', 'write'],
})
