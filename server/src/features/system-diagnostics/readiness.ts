/** Whether the process can serve. Asked often by those who watch it, so the answer is kept for two seconds. */
import type { HealthCheck } from '@atrium/contract/system-diagnostics'
import { fail } from '../../platform/http/refusal.ts'
import type { ProcessPhase } from '../../platform/processes/index.ts'

export interface ReadinessCheck {
  readonly id: string
  /** Throws when the check fails. */
  run(): Promise<void>
}

/** One that is made for administrators only. */
export interface DeepCheck {
  readonly id: string
  /** Gives a sentence where something should be looked at; null where all is well. Throws when the check fails. */
  run(): Promise<string | null>
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
  /** All checks, made anew. Refuses with `unavailable` and what those saw that fail. */
  checkDeeply(): Promise<HealthCheck[]>
}

const keepMs = 2000
const checkMs = 3000

const phases = { starting: 'it starts', leaving: 'it ends' } as const

export const createReadiness = (deps: {
  readonly checks: readonly ReadinessCheck[]
  readonly deepChecks: readonly DeepCheck[]
  readonly monotonicNow: () => number
  readonly phase: () => ProcessPhase
}): Readiness => {
  const now = deps.monotonicNow
  const run = (check: ReadinessCheck | DeepCheck) => runCheck(check, now)
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
      const results = requirePassing(await last.results, () => 'does not work')
      return results.map(({ id, latencyMs }) => ({ id, status: 'pass', latencyMs }))
    },
    async checkDeeply() {
      const results = await Promise.all([...deps.checks, ...deps.deepChecks].map(run))
      return requirePassing(results, ({ message }) => message ?? 'does not work')
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

const runCheck = async (check: ReadinessCheck | DeepCheck, now: () => number): Promise<HealthCheck> => {
  const start = now()
  const late = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => late.resolve('late'), checkMs)
  const outcome = await Promise.race([
    check.run().then(
      (words) => ({ status: words ? ('warn' as const) : ('pass' as const), message: words ?? null }),
      // The component itself logs why; here only that it fails.
      () => ({ status: 'fail' as const, message: 'does not work' }),
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
