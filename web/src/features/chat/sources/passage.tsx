import { Fragment } from 'react'

/** A passage with the words of the question marked. `short` begins it near the first of them. */
export function Passage({ text, query, short = false }: { text: string; query: string; short?: boolean }) {
  const words = wordsIn(query)
  const wanted = words.length ? new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})[\\p{L}\\p{M}]*`, 'giu') : null
  const first = short && wanted ? text.search(wanted) : -1
  const from = first > 90 ? text.indexOf(' ', first - 60) + 1 : 0
  const shown = (from > 0 ? '… ' : '') + text.slice(from, short ? from + 320 : undefined).trim()
  if (!wanted) return shown
  let at = 0
  const parts = [...shown.matchAll(wanted)].map((match) => {
    const before = shown.slice(at, match.index)
    at = match.index + match[0].length
    return (
      <Fragment key={match.index}>
        {before}
        <mark className="rounded-xs bg-accent-soft text-ink">{match[0]}</mark>
      </Fragment>
    )
  })
  return (
    <>
      {parts}
      {shown.slice(at)}
    </>
  )
}

/** Words long enough to mean something, their ends left open for other forms. Short Latin ones are mostly articles. */
function wordsIn(query: string): string[] {
  const words = (query.match(/[\p{L}\p{N}]{2,}/gu) ?? []).filter((word) => word.length > 3 || !/^[a-z]+$/i.test(word))
  return [...new Set(words.map((word) => (word.length > 5 ? word.slice(0, -1) : word)))].slice(0, 24)
}
