/** What the server and a process of the sandbox say to each other; the program's output goes over pipes. */
import type { FolderProblem, SandboxFile } from './types.ts'

export interface Program {
  readonly code: string
  readonly files: readonly SandboxFile[]
  readonly limits: {
    readonly outputBytes: number
    readonly outFiles: number
    readonly outBytes: number
    readonly keepFiles: number
    readonly keepBytes: number
  }
}

/** How an engine says that a program ended. */
export type ProgramEnd = 'finished' | 'failed' | 'memory'

export interface ProgramResult {
  readonly end: ProgramEnd
  /** Bytes of output, all of which are in the pipes. */
  readonly sent: { readonly stdout: number; readonly stderr: number }
  readonly droppedBytes: number
  readonly out: readonly SandboxFile[]
  readonly kept: readonly SandboxFile[]
  readonly removed: readonly string[]
  readonly problems: readonly FolderProblem[]
}

/** The engine is loaded: a program may come. */
export const programsMayCome = 'ready'

/** An engine that is loaded and waits for the one program of its process. */
export interface Engine {
  run(program: Program, output: Output): Promise<EngineResult>
}

export interface EngineResult {
  readonly end: ProgramEnd
  /** All that is below `/keep` and `/out`. */
  readonly files: readonly SandboxFile[]
}

export interface Output {
  write(stream: 'stdout' | 'stderr', bytes: Uint8Array): void
}
