/** What a recorded exchange with a provider is. `{base}` and `{strange}` are two servers. */
import type { OperationName } from '../types.ts'

export interface Answer {
  readonly status?: number
  readonly type?: string
  readonly body: unknown
}

export interface Exchange {
  readonly operation: OperationName | 'video'
  readonly format: string
  readonly title?: string
  readonly endpoint: string
  readonly model: string
  readonly config?: Readonly<Record<string, unknown>>
  readonly also?: Readonly<Record<string, unknown>>
  readonly variables?: Readonly<Record<string, unknown>>
  readonly ask: object
  /** So many pictures as far as they are somebody wants to see. */
  readonly partials?: number
  /** By method and path, the first one being the main question; `*` at the end stands for anything. */
  readonly answers: Readonly<Record<string, Answer>>
  /** The questions in their order. */
  readonly said: readonly { readonly path: string; readonly json?: object; readonly parts?: readonly string[] }[]
  readonly result: object
  readonly units?: object
  /** The answers where something was withheld. */
  readonly moderated?: Readonly<Record<string, Answer>>
  /** The paths that are not there when the provider has forgotten a task. */
  readonly forgotten?: readonly string[]
  /** The answers with other bytes in the place of the media. */
  readonly media?: (bytes: Buffer) => Readonly<Record<string, Answer>>
  /** What is asked when nobody waits any more. */
  readonly stops?: string
  /** Where the call hangs for that; absent: at the main question. */
  readonly stallsAt?: string
  /** What is asked to cancel a film. */
  readonly cancels?: string
}
