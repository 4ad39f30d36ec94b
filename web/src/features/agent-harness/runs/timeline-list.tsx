import type { HarnessEventData } from '@atrium/contract/agent-harness'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import type { TimelineEntry, ToolEntry } from './timeline.ts'
import { useText } from 'virtual:words/agent-harness'

/** A long run has thousands of entries, which would make the page slow. */
const atATime = 200

/** What happened in a run, oldest first: the last of it, and more on demand. */
export function TimelineList({ entries }: { entries: readonly TimelineEntry[] }) {
  const t = useText('agent-harness')
  const [shown, setShown] = useState(atATime)
  const hidden = Math.max(0, entries.length - shown)
  return (
    <div className="mt-4">
      {hidden > 0 && (
        <Button size="small" className="mb-3" onClick={() => setShown(shown + atATime)}>
          {t('timeline.earlier', { shown: formatNumber(hidden) })}
        </Button>
      )}
      <ol aria-label={t('timeline.title')} className="flex flex-col gap-3">
        {entries.slice(hidden).map((entry) => (
          <li key={entry.id} className="min-w-0">
            {entry.kind === 'text' ? (
              <Spoken entry={entry} />
            ) : entry.kind === 'tool' ? (
              <ToolCall entry={entry} />
            ) : (
              <Note type={entry.type} data={entry.data} />
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}

function Spoken({ entry }: { entry: Extract<TimelineEntry, { kind: 'text' }> }) {
  const t = useText('agent-harness')
  return (
    <div className={entry.by === 'user' ? 'rounded-lg bg-sunken px-3.5 py-2.5' : 'px-1'}>
      <p className="text-xs font-medium text-muted">{t(`timeline.${entry.by}`)}</p>
      <p dir="auto" className="break-words whitespace-pre-wrap">
        {entry.text}
      </p>
    </div>
  )
}

function ToolCall({ entry }: { entry: ToolEntry }) {
  const t = useText('agent-harness')
  // What tools were given and gave can be long: it is there once somebody looks.
  const [open, setOpen] = useState(false)
  const { name, input, result, resolution } = entry
  return (
    <details
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="group rounded-lg border border-line bg-raised"
    >
      <summary className="flex cursor-pointer list-none flex-wrap items-center gap-2 px-3 py-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90 rtl:group-open:-rotate-90"
        />
        <code className="min-w-0 flex-1 truncate">{name || t('timeline.tool')}</code>
        {resolution !== null && (
          <Badge tone={resolution === 'deny' ? 'warn' : 'ok'}>
            {known.has(resolution) ? t(`timeline.resolution.${resolution}`) : resolution}
          </Badge>
        )}
        {result ? (
          result.isError && <Badge tone="danger">{t('timeline.failed')}</Badge>
        ) : (
          <Badge>{t('timeline.open')}</Badge>
        )}
      </summary>
      {open && (
        <div className="border-t border-line px-3 py-2">
          <Code text={input} />
          {result && <Code text={result.text} />}
        </div>
      )}
    </details>
  )
}

const known: ReadonlySet<string> = new Set(['allow_once', 'deny', 'always_allow_tool', 'always_allow_call'])

/** Longer texts scroll. */
export function Code({ text }: { text: string }) {
  if (!text) return null
  return (
    <pre
      dir="ltr"
      tabIndex={0}
      className="my-1 max-h-72 overflow-auto rounded-md bg-sunken p-2 text-xs break-words whitespace-pre-wrap"
    >
      {text}
    </pre>
  )
}

/** What is neither said nor done by a tool, in one line. */
function Note({ type, data }: { type: string; data: HarnessEventData }) {
  const t = useText('agent-harness')
  const words = noteWords.has(type)
    ? t(`note.${type}`, {
        provider: data.provider ?? '',
        state: data.state && states.has(data.state) ? t(`state.${data.state}`) : (data.state ?? ''),
        input: formatNumber(data.inputTokens ?? 0),
        output: formatNumber(data.outputTokens ?? 0),
      })
    : type.replaceAll('_', ' ')
  const more = data.reason ?? data.message ?? data.goal ?? data.questions?.join(' ')
  return (
    <p className="px-1 text-sm break-words text-muted">
      {words}
      {more && <bdi className="ms-1 text-ink">{more}</bdi>}
    </p>
  )
}

const states: ReadonlySet<string> = new Set(['queued', 'running', 'blocked', 'done', 'failed', 'cancelled'])
const noteWords: ReadonlySet<string> = new Set([
  ...['usage', 'run_finished', 'run_continued', 'error', 'cancel_requested', 'cancelled'],
  ...['provider_fallback', 'provider_cooldown_started', 'user_question', 'user_question_answered'],
  ...['user_goal', 'goal_judge', 'goal_complete', 'automation_triggered', 'automation_report_written'],
])
