/** A file as text and as a syntax tree. */
export interface Source {
  readonly path: string
  readonly text: string
  /** false for tests and what they need. */
  readonly ships: boolean
}

/** Every source of this repository. */
export function parseSources(): Source[]

/** One source. Throws where the text is no TypeScript. */
export function parseSource(path: string, text: string): Source
