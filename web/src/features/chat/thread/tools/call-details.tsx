import type { ToolCall } from '@atrium/contract/generation'
import { useText } from 'virtual:words/chat'

/** What a tool was called with, what it changes, and what came of it. */
export function CallDetails({ call }: { call: ToolCall }) {
  const t = useText('chat')
  return (
    <div className="flex flex-col gap-2.5 border-t border-line px-3 py-2.5">
      {call.arguments && <Words title={t('tools.arguments')} text={pretty(call.arguments)} />}
      {call.changes?.map(({ path, before, after }) => (
        <div key={path}>
          <h5 className="text-xs text-muted">{t(before === null ? 'tools.newFile' : 'tools.changes', { path })}</h5>
          {before !== null && <Lines text={before} sign="−" className="bg-danger-soft" />}
          <Lines text={after} sign="+" className="bg-ok-soft" />
        </div>
      ))}
      {call.result?.text && <Words title={t('tools.result')} text={call.result.text} />}
    </div>
  )
}

function Words({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <h5 className="text-xs text-muted">{title}</h5>
      <pre dir="ltr" tabIndex={0} className="max-h-60 overflow-auto text-xs whitespace-pre-wrap break-words">
        {text}
      </pre>
    </div>
  )
}

function Lines({ text, sign, className }: { text: string; sign: string; className: string }) {
  const lines = text.replace(/\n$/, '').split('\n')
  return (
    <pre dir="ltr" tabIndex={0} className={`max-h-60 overflow-auto px-2 py-1 text-xs ${className}`}>
      {lines.map((line) => `${sign} ${line}`).join('\n')}
    </pre>
  )
}

/** Arguments as they are easier to read, where they are JSON. */
const pretty = (words: string): string => {
  try {
    return JSON.stringify(JSON.parse(words), null, 2)
  } catch {
    // Arguments need not be JSON, and may be cut.
    return words
  }
}
