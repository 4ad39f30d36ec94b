/** Trying a destination step by step, as it will be used. Leaves nothing in it. */
import { type Destination, DestinationFailure } from './destination.ts'

const trialSteps = ['reach', 'sign-in', 'write', 'list', 'read', 'remove'] as const

export interface TrialStep {
  readonly step: (typeof trialSteps)[number]
  /** `warning`: the destination can be used, and does not do all. */
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped'
  /** What was seen, for the operator. */
  readonly detail: string | null
  readonly durationMs: number
}

/** Milliseconds for all steps together. */
const trialMs = 60_000
const content = new TextEncoder().encode('Atrium tries whether backups can be kept here.')

/**
 * Goes through the steps and tells each; what comes after one that failed was not tried. A destination that refuses to
 * remove is a warning: it may be meant so.
 */
export const tryDestination = async (
  destination: Destination,
  { id, now, signal }: { readonly id: string; readonly now: () => number; readonly signal: AbortSignal },
): Promise<{ ok: boolean; steps: TrialStep[] }> => {
  const name = `trial/${id.toLowerCase()}`
  const limit = AbortSignal.any([signal, AbortSignal.timeout(trialMs)])
  const steps: TrialStep[] = []
  let began = now()
  const tell = (step: TrialStep['step'], state: TrialStep['state'], detail: string | null) => {
    steps.push({ step, state, detail, durationMs: now() - began })
    began = now()
  }
  const take = async (step: TrialStep['step'], run: () => Promise<void>): Promise<boolean> => {
    try {
      await run()
      tell(step, 'ok', null)
      return true
    } catch (error) {
      const failure = limit.aborted && !signal.aborted ? tooSlow() : error
      if (!(failure instanceof DestinationFailure)) throw error
      if (step === 'sign-in' && failure.kind === 'unreachable') tell('reach', 'failed', failure.message)
      else {
        if (step === 'sign-in') tell('reach', 'ok', null)
        tell(step, failure.kind === 'locked' ? 'warning' : 'failed', failure.message)
      }
      return failure.kind === 'locked'
    }
  }
  const sizeListed = async (): Promise<number | null> => {
    for await (const object of destination.list(name, limit)) if (object.name === name) return object.bytes
    return null
  }

  const ok =
    (await take('sign-in', async () => {
      await destination.read(name, limit).catch(ignoreMissing)
      tell('reach', 'ok', null)
    })) &&
    (await take('write', () => destination.write(name, content, limit))) &&
    (await take('list', async () => {
      const size = await sizeListed()
      if (size === null) throw new DestinationFailure('invalid', 'The file that was written isn’t in the listing.')
      if (size !== content.byteLength) throw new DestinationFailure('invalid', 'The listing tells a wrong size.')
    })) &&
    (await take('read', async () => {
      const bytes = await destination.read(name, limit)
      if (!bytes || Buffer.compare(bytes, content) !== 0)
        throw new DestinationFailure('invalid', 'The file that was read back differs from what was written.')
    })) &&
    (await take('remove', async () => {
      await destination.remove(name, limit)
      if ((await sizeListed()) !== null) throw new DestinationFailure('locked', 'The removed file is still listed.')
    }))

  for (const step of trialSteps.filter((one) => !steps.some((told) => told.step === one)))
    steps.push({ step, state: 'skipped', detail: null, durationMs: 0 })
  return { ok, steps }
}

/** A folder or collection that is not there yet is made with the first write, or refuses it. */
const ignoreMissing = (error: unknown): undefined => {
  if (!(error instanceof DestinationFailure) || error.kind !== 'missing') throw error
  return undefined
}

const tooSlow = () => new DestinationFailure('unreachable', 'The destination took longer than a minute.')
