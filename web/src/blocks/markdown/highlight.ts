import { useEffect, useRef, useState } from 'react'
import type { CodeToken } from './highlight-engine.ts'
import { isKnownLanguage } from './languages.ts'

const load = () => import('./highlight-engine.ts')

/**
 * The colours of a code, line by line; null while there are none. A code that still grows is coloured four times a
 * second up to 200 lines, then once when it is closed.
 */
export function useHighlight(
  code: string,
  language: string,
  closed: boolean,
): readonly (readonly CodeToken[])[] | null {
  const [pieces, setPieces] = useState<readonly (readonly CodeToken[])[] | null>(null)
  const last = useRef(0)
  const done = useRef<string | null>(null)
  useEffect(() => {
    if (done.current === code || !isKnownLanguage(language) || !worthIt(code, closed)) return
    let gone = false
    const wait = closed ? 0 : Math.max(0, 250 - (Date.now() - last.current))
    const colour = async () => {
      last.current = Date.now()
      const engine = await load().catch(() => null) // Offline: the code stays as it is, and readable.
      const found = await engine?.highlight(code, language)
      if (gone || !found) return
      done.current = code
      setPieces((before) => keepLines(before, found))
    }
    const timer = setTimeout(() => void colour(), wait)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [code, language, closed])
  return pieces
}

function worthIt(code: string, closed: boolean): boolean {
  return closed ? code.length < 120_000 : code.length < 16_000 && code.split('\n').length <= 200
}

/** Lines whose colours did not change keep their identity, so that they are not drawn again. */
function keepLines(before: readonly (readonly CodeToken[])[] | null, now: readonly (readonly CodeToken[])[]) {
  if (!before) return now
  return now.map((line, index) => {
    const old = before[index]
    const same =
      old?.length === line.length && old.every((p, i) => p.text === line[i]?.text && p.kind === line[i]?.kind)
    return same && old ? old : line
  })
}
