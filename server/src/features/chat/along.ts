/** Following an answer in a chat of somebody else, for as long as that is allowed. */
import type { ChatEvent } from '@atrium/contract/chat'
import type { Run } from '../../core/generation/index.ts'
import type { Caller, Frame, Thing } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Room } from './deps.ts'
import { framesForReader } from './reading.ts'
import { chatFrames, lastFrame } from './runs.ts'

/** So often it is asked whether the reader still may: whatever takes the right away holds within a second. */
const askEveryMs = 400

/**
 * What a reader sees of a run. The log of a run keeps words that the owner has changed or removed since, so it is read
 * only while the run goes on; of one that has ended there is what is stored. Ends with `chat_not_found` when the right
 * to read is gone, for whatever reason: revoked, run out, moved, in the trash, out of the group.
 */
export async function* readAlong(
  room: Room,
  { reader, thing, run, after }: { reader: Caller; thing: Thing; run: Run; after: number },
  signal: AbortSignal,
): AsyncGenerator<Frame<ChatEvent>> {
  if (!(await room.store.messages.read(run.scopeId, run.subjectId))) throw fail('generation_not_found')
  if (run.state !== 'running') {
    yield* framesForReader(only(await lastFrame(room, run, after + 1)))
    return
  }
  const over = new AbortController()
  const mayRead = async (): Promise<boolean> => (await room.access.decideFor(reader, 'chat', thing.id)).right !== null
  const stopAsking = askUntil(mayRead, () => over.abort())
  try {
    const frames = room.generations.follow(run, after, AbortSignal.any([signal, over.signal]))
    for await (const frame of framesForReader(chatFrames(room, run, frames))) {
      if (over.signal.aborted) break
      yield frame
    }
  } finally {
    stopAsking()
  }
  if (over.signal.aborted && !signal.aborted) throw fail('chat_not_found')
}

async function* only<T>(one: T): AsyncGenerator<T> {
  yield one
}

/** Asks again and again until the answer is no. Gives the function that ends it. */
const askUntil = (holds: () => Promise<boolean>, no: () => void): (() => void) => {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  const later = (): void => {
    if (!stopped) timer = setTimeout(() => void ask(), askEveryMs).unref()
  }
  const ask = async (): Promise<void> => {
    // Whoever cannot be shown to have the right may not listen.
    if (await holds().catch(() => false)) later()
    else no()
  }
  later()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
