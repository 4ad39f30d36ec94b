import type { Source } from './sources.mjs'

export interface Check {
  /** What to do about a breach. */
  readonly rule: string
  /** A line for each breach, with its place. `files`: the paths of all files; without it, those of this repository. */
  find(sources: readonly Source[], files?: readonly string[]): string[]
}

export const checks: Readonly<Record<'circles' | 'names' | 'shape' | 'shared' | 'spread' | 'sql', Check>>
