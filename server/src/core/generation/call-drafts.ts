/** Shows a call of a tool while it is being written. */
import type { StreamWriter } from '../../platform/events/types.ts'
import type { Part } from '../../providers/types.ts'
import type { RunEvent } from './types.ts'

type DraftPart = Extract<Part, { type: 'tool-draft' }>

export interface CallDrafts {
  /** Takes what was written since the last part. */
  add(part: DraftPart): void
  /** The call is whole, or never will be: what waits is dropped. */
  end(): void
}

interface WritingDraft {
  readonly draft: string
  readonly name: string
  /** Characters that were shown. */
  readonly shown: number
  readonly shownAt: number
  delta: string
}

/** Twice a second is as often as anybody draws what grows. */
const showMs = 500

/** Appends what is written of a call to the stream, twice a second at most, and the last of it also where the model pauses. */
export const createCallDrafts = (writer: StreamWriter<RunEvent>, now: () => number): CallDrafts => {
  let writing: WritingDraft | null = null
  let timer: NodeJS.Timeout | null = null

  const stop = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
  }
  const show = (): void => {
    stop()
    if (!writing || writing.delta === '') return
    const { draft, name, shown, delta } = writing
    writer.append({ type: 'tool-draft', data: { draft, name, at: shown, delta } })
    writing = { draft, name, shown: shown + delta.length, shownAt: now(), delta: '' }
  }

  return {
    add({ draft, name, delta }) {
      if (writing?.draft !== draft) {
        show()
        writing = { draft, name, shown: 0, shownAt: Number.NEGATIVE_INFINITY, delta: '' }
      }
      writing.delta += delta
      const wait = writing.shownAt + showMs - now()
      if (wait <= 0) show()
      else timer ??= setTimeout(show, wait)
    },
    end() {
      stop()
      writing = null
    },
  }
}
