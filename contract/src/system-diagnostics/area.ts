/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const systemDiagnosticsDescription = describeArea({
  name: 'system-diagnostics',
  tag: 'system-diagnostics',
  scopes: ['read'],
  audit: ['support-bundle.create'],
})
