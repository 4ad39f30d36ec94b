import { codeOf } from '../../api/errors.ts'

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
      await networkOrMoment(stop)
      if (stop.aborted) throw error
    }
  }
}

const networkOrMoment = (stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      removeEventListener('online', go)
      stop.removeEventListener('abort', go)
      resolve()
    }
    const timer = setTimeout(go, everyMs)
    addEventListener('online', go)
    stop.addEventListener('abort', go)
  })
