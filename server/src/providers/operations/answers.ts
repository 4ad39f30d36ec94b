/** Performs an operation whose answer comes with the call. */
import { stoppedFailure } from '../faults.ts'
import { askProvider, askWhole } from './ask.ts'
import type { AnswerFormat, Limits } from './format.ts'
import { aboutOf, type OperationCall } from './route.ts'

const stopMs = 3000
const watchEveryMs = 1500

/** Throws ProviderFailure. */
export async function performAnswer<A, R>(
  call: OperationCall,
  format: AnswerFormat<A, R>,
  given: A,
  usual: Limits,
): Promise<R> {
  const about = aboutOf(call)
  const asked = (await format.prepare?.(given)) ?? given
  const limits = format.limits?.(asked) ?? usual
  const { reader, watch, stop } = format
  const streaming = reader ? { reader: () => reader(asked, about), heard: call.heard } : undefined
  const over = new AbortController()
  if (watch && call.heard) void watchCall(call, watch, over.signal)
  try {
    if (call.signal.aborted) throw stoppedFailure()
    const answer = await askProvider(call, format.say(asked, about), limits, streaming)
    return 'streamed' in answer ? answer.streamed : format.read(answer, asked, about)
  } catch (error) {
    if (stop && call.signal.aborted) {
      // Best effort: the answer is given up either way.
      await askWhole({ ...call, signal: AbortSignal.timeout(stopMs) }, stop(about), {
        timeoutMs: stopMs,
        maxBytes: 65_536,
      }).catch(() => {})
    }
    throw error
  } finally {
    over.abort()
  }
}

/** Best effort: what cannot be told of a call does not make it fail. */
async function watchCall(
  call: OperationCall,
  { say, read }: NonNullable<AnswerFormat<never, never>['watch']>,
  over: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([call.signal, over])
  while (!signal.aborted) {
    await new Promise<void>((go) => {
      const timer = setTimeout(go, watchEveryMs)
      signal.addEventListener('abort', () => (clearTimeout(timer), go()), { once: true })
    })
    if (signal.aborted) return
    try {
      const reply = await askWhole({ ...call, signal }, say(aboutOf(call)), {
        timeoutMs: 5000,
        maxBytes: 32 * 1024 * 1024,
      })
      const news = read(reply)
      if (news) call.heard?.(news)
    } catch {
      return
    }
  }
}
