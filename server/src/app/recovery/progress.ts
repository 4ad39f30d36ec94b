/** How far a restore is, in words, once a second. */
import { everySecond } from './every-second.ts'
import type { RestoreStep } from './restore.ts'

export const progressOf = (tell: (text: string) => void): ((step: RestoreStep, rows: number) => void) =>
  everySecond((step, rows) => tell(textOf(step, rows)))

const textOf = (step: RestoreStep, rows: number): string =>
  ({ check: `Reading the backup: ${rows} rows`, load: `Writing: ${rows} rows`, compare: 'Comparing every row' })[step]
