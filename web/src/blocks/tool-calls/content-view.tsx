import { Braces, List } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { useText } from 'virtual:words/tool-calls'
import { CopyButton } from '../copy-button.tsx'
import { formatJson, parseValue } from './parse.ts'
import { ValueView, Words } from './value-view.tsx'

/** What a tool was called with, or what it gave: for people where it is JSON, and on demand as it is. */
export function ContentView({ title, text, copy }: { title: string; text: string; copy: string }) {
  const t = useText('tool-calls')
  const [raw, setRaw] = useState(false)
  const value = parseValue(text)
  return (
    <section aria-label={title}>
      <div className="flex items-center gap-1">
        <h5 className="flex-1 text-xs text-muted">{title}</h5>
        {value !== undefined && (
          <IconButton
            label={t(raw ? 'formatted' : 'raw')}
            icon={raw ? <List /> : <Braces />}
            size="small"
            tooltipSide="top"
            onClick={() => setRaw(!raw)}
          />
        )}
        <CopyButton text={text} label={copy} tooltipSide="top" />
      </div>
      {/* Scrolled by keys where it is long. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div tabIndex={0} role="group" aria-label={title} className="max-h-72 overflow-y-auto rounded-md">
        {value === undefined ? (
          <Words text={text} look="output" />
        ) : raw ? (
          <Words text={formatJson(text)} look="code" />
        ) : (
          <ValueView value={value} />
        )}
      </div>
    </section>
  )
}
