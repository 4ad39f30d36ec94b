/** Streams an answer to a reader of another account's chat. */
import type { ChatEvent } from '@atrium/contract/chat'
import type { Run } from '../../../core/generation/index.ts'
import type { Frame } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { ChatContext } from '../context.ts'
import { framesForReader } from './redact.ts'
import { chatFrames, lastFrame } from '../generations/run-kind.ts'

/**
 * What a reader sees of a run. The log of a run keeps words that the owner has changed or removed since, so it is read
 * only while the run goes on; of one that has ended there is what is stored. That the reader still may is seen to where
 * the stream is written.
 */
export const followAsReader = async (
  context: ChatContext,
  run: Run,
  after: number,
  signal: AbortSignal,
): Promise<Frames> => {
  // Before the first frame is asked for: once a stream has begun, it cannot answer 404 any more.
  if (!(await context.store.messages.read(run.scopeId, run.subjectId))) throw fail('generation_not_found')
  return framesForReader(
    run.state === 'running'
      ? chatFrames(context, run, context.generations.follow(run, after, signal))
      : only(await lastFrame(context, run, after + 1)),
  )
}

type Frames = AsyncGenerator<Frame<ChatEvent>>

async function* only<T>(one: T): AsyncGenerator<T> {
  yield one
}
