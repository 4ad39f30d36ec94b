import type { ToolCall } from '@atrium/contract/generation'
import type { ReactNode } from 'react'
import { useText } from 'virtual:words/tool-calls'
import { ContentView } from './content-view.tsx'

/** What a tool was called with and what it changes, with `children` behind that. */
export function CallContent({ call, children }: { call: ToolCall; children?: ReactNode }) {
  const t = useText('tool-calls')
  const { arguments: args, changes, status } = call
  return (
    <div className="flex flex-col gap-2.5 border-t border-line px-3 py-2.5">
      {status === 'unknown' && <p className="text-sm text-warn-ink">{t('unknownHelp')}</p>}
      <CallInput args={args} />
      {changes?.map(({ path, before, after }) => (
        <div key={path}>
          <h5 className="text-xs text-muted">{t(before === null ? 'newFile' : 'changes', { path })}</h5>
          {before !== null && <Lines text={before} sign="−" className="bg-danger-soft" />}
          <Lines text={after} sign="+" className="bg-ok-soft" />
        </div>
      ))}
      {children}
    </div>
  )
}

/** What a tool is called with, or that it needs nothing. */
function CallInput({ args }: { args: string }) {
  const t = useText('tool-calls')
  if (args === '') return null
  if (args.trim() === '{}') return <p className="text-sm text-muted">{t('noInput')}</p>
  return <ContentView title={t('input')} text={args} copy={t('copyInput')} />
}

function Lines({ text, sign, className }: { text: string; sign: string; className: string }) {
  const lines = text.replace(/\n$/, '').split('\n')
  return (
    <pre dir="ltr" tabIndex={0} className={`max-h-60 overflow-auto px-2 py-1 text-xs ${className}`}>
      {lines.map((line) => `${sign} ${line}`).join('\n')}
    </pre>
  )
}
