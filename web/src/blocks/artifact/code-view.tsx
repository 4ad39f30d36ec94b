import { useEffect, useRef, useState } from 'react'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useText } from 'virtual:words/artifact'
import './code-view.css'
import type { Editor } from './code-engine.ts'

/** The content as it is written, to be changed where `onChange` is given; or how it differs from an earlier one. */
export function CodeView({
  title,
  text,
  language,
  original = null,
  onChange,
  onSave,
}: {
  title: string
  text: string
  /** The kind of the artifact, or the language of its code. */
  language: string
  original?: string | null
  onChange: ((text: string) => void) | null
  onSave: () => void
}) {
  const t = useText('artifact')
  const box = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(null)
  const [state, setState] = useState<'coming' | 'there' | 'failed'>('coming')
  const [tries, setTries] = useState(0)
  // What the editor calls and shows is of the last drawing.
  const now = useRef({ text, onChange, onSave })
  useEffect(() => {
    now.current = { text, onChange, onSave }
    editor.current?.setText(text)
  })
  const mayChange = onChange !== null
  const label = t('content', { title })
  const hint = t('empty')
  useEffect(() => {
    let gone = false
    const start = ({ mountEditor }: typeof import('./code-engine.ts')) => {
      if (gone || !box.current) return
      editor.current = mountEditor(box.current, {
        text: now.current.text,
        label,
        language,
        hint: mayChange ? hint : null,
        onChange: mayChange ? (typed) => now.current.onChange?.(typed) : null,
        onSave: () => now.current.onSave(),
        original,
      })
      setState('there')
    }
    // Offline, or the server was updated meanwhile.
    import('./code-engine.ts').then(start, () => gone || setState('failed'))
    return () => {
      gone = true
      editor.current?.destroy()
      editor.current = null
    }
  }, [label, language, hint, mayChange, original, tries])
  return (
    <>
      {state === 'coming' && <Skeleton lines={8} className="p-4" />}
      {state === 'failed' && (
        <div className="p-4">
          <ErrorCard title={t('editorFailed')} onRetry={() => setTries(tries + 1)}>
            {null}
          </ErrorCard>
        </div>
      )}
      <div ref={box} dir="ltr" hidden={state !== 'there'} className="artifact-code min-h-0 flex-1 overflow-hidden" />
    </>
  )
}
