import { useDeferredValue, useMemo, useState } from 'react'
import { findAll, type TextRange } from './text-ranges.ts'

/** Looking for words inside of one document. */
export interface Finder {
  /** What is typed. */
  readonly words: string
  /** What the hits are of; a moment behind what is typed. */
  readonly sought: string
  readonly hits: readonly TextRange[]
  /** The one that was gone to. */
  readonly hit: TextRange | null
  /** Of that hit, from 0. */
  readonly index: number
  setWords(words: string): void
  step(by: 1 | -1): void
}

export function useFinder(content: string): Finder {
  const [words, setWords] = useState('')
  const [index, setIndex] = useState(0)
  const sought = useDeferredValue(words)
  const hits = useMemo(() => (sought.trim().length < 2 ? [] : findAll(content, sought)), [content, sought])
  const at = hits.length ? Math.min(index, hits.length - 1) : 0
  return {
    words,
    sought,
    hits,
    hit: hits[at] ?? null,
    index: at,
    setWords(next) {
      setWords(next)
      setIndex(0)
    },
    step: (by) => hits.length && setIndex((at + by + hits.length) % hits.length),
  }
}
