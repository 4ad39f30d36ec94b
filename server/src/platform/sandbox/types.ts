/** What runs in the sandbox, within which limits, and how it can end. */

export const sandboxLanguages = ['javascript', 'python'] as const
export type SandboxLanguage = (typeof sandboxLanguages)[number]

/** Where a program finds files: what it may read, what it keeps, what it gives back, and room for itself. */
export const sandboxFolders = ['/files', '/keep', '/out', '/tmp'] as const

export interface SandboxFile {
  /** As the program sees it: `/files/report.csv`. */
  readonly path: string
  readonly bytes: Uint8Array
}

export interface SandboxLimits {
  /** From the moment the program begins; what it waits for a processor does not count, up to twice as long again. */
  readonly timeoutMs: number
  /** Of the whole process. */
  readonly memoryMb: number
  /** Of each of the two streams of output; what is more is counted and dropped. */
  readonly outputBytes: number
  /** Of what `/out` holds at the end. */
  readonly outFiles: number
  readonly outBytes: number
  /** The same of `/keep`. */
  readonly keepFiles: number
  readonly keepBytes: number
}

export const sandboxLimits: SandboxLimits = {
  timeoutMs: 30_000,
  memoryMb: 512,
  outputBytes: 256 * 1024,
  outFiles: 10,
  outBytes: 10 * 1024 * 1024,
  keepFiles: 500,
  keepBytes: 50 * 1024 * 1024,
}

export interface SandboxRun {
  /** Runs take turns between accounts. */
  readonly accountId: string
  readonly language: SandboxLanguage
  readonly code: string
  /**
   * Those in `/files` and `/keep`; others are left out. Asked for when its turn has come, so that runs that wait hold
   * none.
   */
  readonly readFiles: () => Promise<readonly SandboxFile[]>
  readonly signal?: AbortSignal
  readonly limits?: Partial<SandboxLimits>
}

export const sandboxEnds = [
  /** To its last line, or it left by itself with 0. */
  'finished',
  /** With an error that it did not catch, or it left with another number. */
  'failed',
  'timeout',
  'memory',
  /** Called off, by a person or the end of the server. */
  'stopped',
  /** Its process ended, and nobody knows why. */
  'crashed',
  /** It never began: too many are waiting. */
  'busy',
] as const
export type SandboxEnd = (typeof sandboxEnds)[number]

/** Why a folder is not taken as the program left it. */
export interface FolderProblem {
  readonly folder: '/keep' | '/out'
  readonly problem: 'too_many' | 'too_large' | 'bad_name'
}

export interface SandboxOutcome {
  readonly end: SandboxEnd
  readonly stdout: string
  readonly stderr: string
  /** Of both streams, what was dropped. */
  readonly droppedBytes: number
  /** What `/out` holds; empty unless the program ended by itself. */
  readonly out: readonly SandboxFile[]
  /** What changed in `/keep`: files that are new or different, and paths that are gone. */
  readonly kept: readonly SandboxFile[]
  readonly removed: readonly string[]
  readonly problems: readonly FolderProblem[]
  /** Since the program began. */
  readonly durationMs: number
}

/** Of a run that never began. */
export const notRun = (end: SandboxEnd): SandboxOutcome => ({
  end,
  stdout: '',
  stderr: '',
  droppedBytes: 0,
  out: [],
  kept: [],
  removed: [],
  problems: [],
  durationMs: 0,
})
