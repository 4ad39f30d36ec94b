/** What the rest of the product derives from this area: its error codes, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const codeInterpreterDescription = describeArea({
  name: 'code-interpreter',
  tag: 'code-interpreter',
  errors: {
    code_interpreter_off: [403, 'An administrator turned off running code for you.'],
    code_file_not_found: [404, 'This file no longer exists.'],
  },
  audit: ['code.run'],
  jobs: ['code-interpreter.upkeep'],
  scopes: ['read', 'write'],
  resources: {
    /** What programs of a chat keep, and what they made for it. */
    'code-file': { stored: true, counted: 'codeFiles' },
  },
})
