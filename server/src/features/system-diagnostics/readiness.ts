/** Whether the process can serve. Asked often by those who watch it, so the answer is kept for two seconds. */
import type { HealthCheck } from '@atrium/contract/system-diagnostics'
import { type DiagnosticCheck, runChecks } from '../../platform/diagnostics/checks.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { ProcessPhase } from '../../platform/processes/index.ts'

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

export interface Readiness {
  /**
   * Runs all checks, each for three seconds at most. Refuses with `unavailable` and the ids of those that fail; while the
   * process starts or leaves, at once.
   */
  isReady(): Promise<CheckResult[]>
  /** These checks, made anew, and those of the areas that are watched: the doctor has the rest. Refuses with `unavailable` and what those saw that fail. */
  checkDeeply(): Promise<HealthCheck[]>
}

const keepMs = 2000
const checkMs = 3000

const phases = { starting: 'it starts', leaving: 'it ends' } as const

export const createReadiness = (deps: {
  readonly checks: readonly ReadinessCheck[]
  readonly areaChecks: () => readonly DiagnosticCheck[]
  readonly monotonicNow: () => number
  readonly phase: () => ProcessPhase
}): Readiness => {
  const now = deps.monotonicNow
  const run = (check: ReadinessCheck) => runCheck(check, now)
  let last: { at: number; results: Promise<HealthCheck[]> } | null = null
  const requirePresence = (): void => {
    const phase = deps.phase()
    if (phase !== 'ready')
      throw fail('unavailable', `Not ready: ${phases[phase]}.`, [{ path: 'checks.phase', message: phases[phase] }])
  }
  return {
    async isReady() {
      requirePresence()
      if (!last || now() - last.at >= keepMs) last = { at: now(), results: Promise.all(deps.checks.map(run)) }
      const results = requirePassing(await last.results, () => 'doesn’t work')
      return results.map(({ id, latencyMs }) => ({ id, status: 'pass', latencyMs }))
    },
    async checkDeeply() {
      const watched = deps.areaChecks().filter(({ watched }) => watched)
      const results = await Promise.all([...deps.checks.map(run), ...watched.map((check) => runOne(check, now))])
      return requirePassing(results.flat(), ({ message }) => message ?? 'doesn’t work')
    },
  }
}

/** Gives the results. Refuses where one fails, with words for each of those. */
const requirePassing = (results: readonly HealthCheck[], words: (failed: HealthCheck) => string): HealthCheck[] => {
  const failing = results.filter(({ status }) => status === 'fail')
  if (failing.length === 0) return [...results]
  const issues = failing.map((one) => ({ path: `checks.${one.id}`, message: words(one) }))
  throw fail('unavailable', `Not ready: ${failing.map(({ id }) => id).join(', ')}.`, issues)
}

/** Nothing where a check has nothing to look at. */
const runOne = async (check: DiagnosticCheck, now: () => number): Promise<HealthCheck[]> => {
  const start = now()
  const results = await runChecks([check])
  return results.map(({ id, status, message }) => ({ id, status, latencyMs: Math.round(now() - start), message }))
}

const runCheck = async (check: ReadinessCheck, now: () => number): Promise<HealthCheck> => {
  const start = now()
  const late = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => late.resolve('late'), checkMs)
  const outcome = await Promise.race([
    check.run().then(
      () => ({ status: 'pass' as const, message: null }),
      // The component itself logs why; here only that it fails.
      () => ({ status: 'fail' as const, message: 'doesn’t work' }),
    ),
    late.promise,
  ])
  clearTimeout(timer)
  const { status, message } =
    outcome === 'late'
      ? { status: 'fail' as const, message: `gave no answer within ${checkMs / 1000} seconds` }
      : outcome
  return { id: check.id, status, latencyMs: Math.round(now() - start), message }
}
