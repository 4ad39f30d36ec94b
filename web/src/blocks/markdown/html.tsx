import { useMemo } from 'react'
import { useLazy } from './lazy.ts'

type Engine = typeof import('./html-engine.ts')
const load = () => import('./html-engine.ts')

/** A block of raw HTML: harmless marks are drawn, everything else is shown as it was written. */
export function HtmlBlock({ html, settled }: { html: string; settled: boolean }) {
  const isComment = /^\s*<!--[\s\S]*-->\s*$/.test(html)
  const engine = useLazy<Engine>(load, settled && !isComment)
  const clean = useMemo(() => (settled && engine ? engine.sanitise(html) : null), [engine, html, settled])
  if (isComment) return null
  if (clean !== null) return <div dir="auto" dangerouslySetInnerHTML={{ __html: clean }} />
  return (
    <pre dir="auto" className="text-sm whitespace-pre-wrap">
      {html.trim()}
    </pre>
  )
}
