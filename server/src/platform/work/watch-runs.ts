/** Watches the runs of something that is built in, as this process asks for them. */
import { WorkFailure } from './failure.ts'

/** `busy` counts runs that wait for a free process, too; a run that was called off says nothing. */
export type RunState = 'unused' | 'ready' | 'busy' | 'failed'

export const createRunWatch = () => {
  let running = 0
  let last: Exclude<RunState, 'busy'> = 'unused'
  return {
    async watch<T>(run: Promise<T>): Promise<T> {
      running += 1
      try {
        const outcome = await run
        last = 'ready'
        return outcome
      } catch (error) {
        if (!(error instanceof WorkFailure && error.kind === 'aborted')) last = 'failed'
        throw error
      } finally {
        running -= 1
      }
    },
    get state(): RunState {
      return running > 0 ? 'busy' : last
    },
  }
}
