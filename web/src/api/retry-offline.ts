import { codeOf } from './errors.ts'
import { pauseAtMost } from './follow.ts'

/** So often it is tried anew where the browser believes to be online: a server on the way may be the one that is away. */
const everyMs = 3000

/** Does something that needs the server, as often as it takes while there is no network. `onWaiting` says whether it waits. */
export async function retryOffline<T>(
  work: () => Promise<T>,
  stop: AbortSignal,
  onWaiting: (on: boolean) => void,
): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      const done = await work()
      if (tries > 0) onWaiting(false)
      return done
    } catch (error) {
      if (codeOf(error) !== 'offline' || stop.aborted) throw error
      onWaiting(true)
      await pauseAtMost(everyMs, stop)
      if (stop.aborted) throw error
    }
  }
}
