import type { ToolCall, ToolResult } from '@atrium/contract/generation'
import {
  Ban,
  Check,
  ChevronRight,
  CircleAlert,
  CircleDashed,
  CircleHelp,
  CircleSlash,
  TriangleAlert,
} from 'lucide-react'
import { useState } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { formatDuration, formatNumber, formatSize } from '../../lib/format.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { useText } from 'virtual:words/tool-calls'
import { CallDetails } from './call-details.tsx'
import { type CallState, durationOf, stateOf } from './call-state.ts'
import { targetOf } from './target.ts'
import { ToolIcon, toolName } from './tool-words.tsx'

const icons: Readonly<Record<CallState, React.ReactNode>> = {
  awaiting: <CircleHelp className="text-warn-ink" />,
  running: <Spinner size={14} label="" />,
  succeeded: <Check className="text-ok-ink" />,
  failed: <CircleAlert className="text-danger-ink" />,
  denied: <CircleSlash className="text-muted" />,
  cancelled: <Ban className="text-muted" />,
  unknown: <TriangleAlert className="text-warn-ink" />,
  unanswered: <CircleDashed className="text-muted" />,
}

/** One call in one line, opened on demand. */
export function CallRow({ call, open: goesOn }: { call: ToolCall; open: boolean }) {
  const t = useText('tool-calls')
  const [open, setOpen] = useState(false)
  const state = stateOf(call, goesOn)
  const target = targetOf(call)
  const tookMs = durationOf(call)
  const facts = [tookMs === null ? null : formatDuration(tookMs), call.result?.text ? sizeOf(call.result) : null]
  return (
    <div className="rounded-lg border border-line bg-sunken text-sm">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="hit flex w-full flex-wrap items-center gap-x-2 gap-y-0.5 rounded-lg px-3 py-1.5 text-start hover:bg-hover"
      >
        <ToolIcon tool={call} className="size-3.5 shrink-0 text-muted" />
        <span className="flex min-w-0 flex-1 items-baseline gap-2">
          <bdi className="max-w-[70%] shrink-0 truncate font-medium">{toolName(t, call)}</bdi>
          {call.serverName && (
            <bdi className="shrink-0 truncate text-xs text-muted max-tab:hidden">{call.serverName}</bdi>
          )}
          {target && (
            <span dir="auto" className="min-w-0 flex-1 truncate text-xs text-muted">
              {target}
            </span>
          )}
        </span>
        <span className="ms-auto flex shrink-0 items-center gap-1.5 text-xs text-muted tabular-nums [&_svg]:size-3.5">
          {facts
            .filter((fact) => fact !== null)
            .map((fact) => (
              <span key={fact} className="max-tab:hidden">
                {fact}
              </span>
            ))}
          <span aria-hidden>{icons[state]}</span>
          {t(`state.${state}`)}
        </span>
        <ChevronRight aria-hidden className={classNames('size-3.5 shrink-0', open && 'rotate-90 rtl:-rotate-90')} />
      </button>
      {state === 'running' && call.progress && <Progress progress={call.progress} />}
      {open && <CallDetails call={call} />}
    </div>
  )
}

/** Of a result that was cut only its letters are known. */
const sizeOf = ({ text, characters = 0 }: ToolResult): string =>
  formatSize(characters > text.length ? characters : new TextEncoder().encode(text).length)

/** How far a call is, as its tool says. */
function Progress({ progress: { done, total, message } }: { progress: NonNullable<ToolCall['progress']> }) {
  const t = useText('tool-calls')
  const words =
    total === null ? formatNumber(done) : t('progress', { done: formatNumber(done), total: formatNumber(total) })
  return (
    <div className="flex items-center gap-2.5 px-3 pb-2 text-xs text-muted">
      {total !== null && total > 0 && (
        <span aria-hidden className="h-1.5 w-24 shrink-0 overflow-hidden rounded-full bg-hover">
          <span
            className="block h-full rounded-full bg-accent"
            style={{ width: `${Math.min(100, Math.max(0, (done / total) * 100))}%` }}
          />
        </span>
      )}
      <span className="shrink-0 tabular-nums">{words}</span>
      {message && (
        <span dir="auto" className="min-w-0 truncate">
          {message}
        </span>
      )}
    </div>
  )
}
