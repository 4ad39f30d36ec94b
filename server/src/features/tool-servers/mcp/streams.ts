/**
 * Notices what the library waits through: a stream that was to bring an answer and ended without one. It may go on where it
 * broke off, for which there is a moment.
 */
import { type GatedFetch, ServerFault } from '../kind.ts'
import type { Deadline } from './deadline.ts'

const graceMs = 3_000

export const watchStreams = (deadline: Pick<Deadline, 'isPausing'>) => {
  const broken = Promise.withResolvers<never>()
  // Nobody listens once the question is answered.
  broken.promise.catch(() => undefined)
  let open = 0
  let asked = 0
  let timer: NodeJS.Timeout | undefined
  return {
    broken: broken.promise,
    breakOff: (fault: ServerFault) => broken.reject(fault),
    counting:
      (fetch: GatedFetch): GatedFetch =>
      (url, init) => {
        asked += 1
        return fetch(url, init)
      },
    onStream(ended: Promise<ServerFault | null>): void {
      open += 1
      void ended.then((fault) => {
        open -= 1
        if (fault?.kind === 'too-large') return broken.reject(fault)
        const then = asked
        clearTimeout(timer)
        timer = setTimeout(() => {
          // Something was asked since, or a person is: the answer that came was a question.
          if (open > 0 || asked > then || deadline.isPausing()) return
          broken.reject(
            fault ?? new ServerFault('unreachable', 'The connection broke off before the answer was complete.'),
          )
        }, graceMs)
      })
    },
    end: () => clearTimeout(timer),
  }
}
