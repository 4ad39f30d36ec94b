/** Whether the process can serve. Asked often by those who watch it, so the answer is kept for two seconds. */
import { fail } from '../../platform/http/refusal.ts'

export interface ReadinessCheck {
  readonly id: string
  /** Throws when the check fails. */
  run(): Promise<void>
}

export interface CheckResult {
  readonly id: string
  readonly status: 'pass' | 'fail'
  readonly latencyMs: number
}

const keepMs = 2000
const checkMs = 3000

/** Runs all checks, each for three seconds at most; refuses with `unavailable` and the ids of those that fail. */
export const createReadiness = (
  checks: readonly ReadinessCheck[],
  now: () => number,
): (() => Promise<CheckResult[]>) => {
  let last: { at: number; results: Promise<CheckResult[]> } | null = null
  return async () => {
    if (!last || now() - last.at >= keepMs)
      last = { at: now(), results: Promise.all(checks.map((one) => checkAll(one, now))) }
    const results = await last.results
    const failing = results.filter(({ status }) => status === 'fail').map(({ id }) => id)
    if (failing.length === 0) return results
    const issues = failing.map((id) => ({ path: `checks.${id}`, message: 'does not work' }))
    throw fail('unavailable', `Not ready: ${failing.join(', ')}.`, issues)
  }
}

const checkAll = async (check: ReadinessCheck, now: () => number): Promise<CheckResult> => {
  const start = now()
  const passed = await Promise.race([
    check.run().then(
      () => true,
      // The component itself logs why; here only that it fails.
      () => false,
    ),
    new Promise<false>((resolve) => setTimeout(resolve, checkMs, false).unref()),
  ])
  return { id: check.id, status: passed ? 'pass' : 'fail', latencyMs: Math.round(now() - start) }
}
