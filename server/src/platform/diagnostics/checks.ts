/** Checks of the server: what each area knows of itself, run together when somebody asks whether all is well. */
import type { DoctorCheck, DoctorFix } from '@atrium/contract/doctor'
import { maskText } from '../log/mask.ts'

export interface CheckOutcome {
  readonly status: DoctorCheck['status']
  /** What was seen, and what to do about it: a sentence without secrets and without content. */
  readonly message: string
  /** The same without what people named, for those outside the instance; where `message` says no such names, nothing. */
  readonly nameless?: string
  readonly fixes?: readonly DoctorFix[]
}

export interface DiagnosticCheck {
  readonly id: string
  /** Cheap enough to be run every few minutes, so that administrators hear of it by themselves. */
  readonly watched?: true
  /** Too dear for that: looked at once a day by itself, and what was seen then holds until the next time. */
  readonly daily?: true
  /** What it sees is of the process that runs it, such as its machine and its folder: each process tells its own. */
  readonly ofProcess?: true
  /** Watched beside the queue of jobs, as it must be seen while that stands still. */
  readonly besideJobs?: true
  /** null means that nothing is known just now, and not that all is well; so does an answer that is late. */
  readonly mayNotKnow?: true
  /** null where there is nothing to look at on this instance. */
  run(signal: AbortSignal): Promise<CheckOutcome | null>
}

export const reportPass = (message: string): CheckOutcome => ({ status: 'pass', message })
export const reportWarning = (message: string, fixes: readonly DoctorFix[] = []): CheckOutcome => ({
  status: 'warn',
  message,
  fixes,
})
export const reportFailure = (message: string, fixes: readonly DoctorFix[] = []): CheckOutcome => ({
  status: 'fail',
  message,
  fixes,
})

/** The outcome, with what is said to those who are not to learn what people called things here. */
export const withoutNames = (outcome: CheckOutcome, nameless: string): CheckOutcome => ({ ...outcome, nameless })

interface CheckOptions {
  /** Leaves out what people named. */
  readonly nameless?: boolean
}

const checkMs = 15_000

/**
 * Runs all checks side by side, each for 15 seconds at most; one that rejects or hangs is told as a failure, and the
 * rest still answers.
 */
export const runChecks = async (
  checks: readonly DiagnosticCheck[],
  options: CheckOptions = {},
): Promise<DoctorCheck[]> => {
  const outcomes = await Promise.all(checks.map((check) => runCheck(check, options)))
  return outcomes.filter((outcome) => outcome !== null)
}

/** As `runChecks` for one; null where it has nothing to look at. */
export const runCheck = async (
  check: DiagnosticCheck,
  { nameless = false }: CheckOptions = {},
): Promise<DoctorCheck | null> => {
  const late = AbortSignal.timeout(checkMs)
  const hung = new Promise<CheckOutcome | null>((resolve) =>
    late.addEventListener('abort', () =>
      resolve(check.mayNotKnow ? null : reportFailure('Couldn’t check this within 15 seconds.')),
    ),
  )
  const outcome = await Promise.race([
    check
      .run(late)
      .catch((error: unknown) => reportFailure(`Couldn’t check this: ${maskText((error as Error).message)}`)),
    hung,
  ])
  if (!outcome) return null
  const { status, message, fixes = [] } = outcome
  return { id: check.id, status, message: nameless ? (outcome.nameless ?? message) : message, fixes: [...fixes] }
}
