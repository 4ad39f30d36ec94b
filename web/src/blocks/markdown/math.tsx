import { useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { useText } from 'virtual:words/markdown'
import { useLazy } from './lazy.ts'

type Engine = typeof import('./math-engine.ts')
const load = () => import('./math-engine.ts')

/** A formula, drawn once it is complete. What cannot be drawn stays as it was written, with the reason. */
export function Formula({
  text,
  display,
  closed,
  source,
}: {
  text: string
  display: boolean
  closed: boolean
  source: string
}) {
  const engine = useLazy<Engine>(load, closed)
  const t = useText('markdown')
  const box = useRef<HTMLSpanElement>(null)
  const [error, setError] = useState<string | null>(null)
  useLayoutEffect(() => {
    if (engine && box.current) setError(engine.drawFormula(text, box.current, display))
  }, [engine, text, display])
  const shown = closed && engine && error === null
  return (
    <span className={display ? 'my-3 block overflow-x-auto overflow-y-hidden' : undefined} dir="ltr">
      <span ref={box} className={classNames(!shown && 'hidden')} />
      {!shown && <code className="whitespace-pre-wrap">{source.trim()}</code>}
      {error && <span className="mt-1 block text-sm text-danger-ink">{t('math.failed', { reason: error })}</span>}
    </span>
  )
}
