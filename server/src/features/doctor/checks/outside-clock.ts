/** The clock of this machine against the clocks of servers that answered it. */
import {
  type CheckOutcome,
  type DiagnosticCheck,
  reportFailure,
  reportPass,
  reportWarning,
} from '../../../platform/diagnostics/checks.ts'

/** `readings`: how far each server's clock is ahead of ours, in milliseconds. */
export const outsideClockCheck = (readings: () => readonly number[]): DiagnosticCheck => ({
  id: 'clock-outside',
  watched: true,
  ofProcess: true,
  mayNotKnow: true,
  run: async () => judgeOutsideClock(readings()),
})

/** The median counts: a server of somebody else may be wrong by itself. */
export const judgeOutsideClock = (aheadMs: readonly number[]): CheckOutcome | null => {
  const median = aheadMs.toSorted((a, b) => a - b)[Math.floor(aheadMs.length / 2)]
  if (median === undefined) return null
  const seconds = Math.round(Math.abs(median) / 1000)
  const servers = aheadMs.length === 1 ? 'one server that answered' : `${aheadMs.length} servers that answered`
  if (seconds <= 5) return reportPass(`The clock of this machine agrees with the clock of ${servers}.`)
  const message = `The clock of this machine is ${seconds} s ${median > 0 ? 'behind' : 'ahead of'} the clock of ${servers}.`
  return seconds > 60 && aheadMs.length > 1
    ? reportFailure(`${message} Single sign-on and one-time codes fail. Run a time service.`)
    : reportWarning(`${message} Run a time service.`)
}
