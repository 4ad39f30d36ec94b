import type { ToolCall } from '@atrium/contract/generation'
import {
  Check,
  ChevronRight,
  CircleAlert,
  CircleDashed,
  CircleHelp,
  CircleSlash,
  ListChecks,
  Wrench,
} from 'lucide-react'
import { useState } from 'react'
import { classNames } from '../../../../lib/class-names.ts'
import { Spinner } from '../../../../ui/spinner.tsx'
import { useText } from 'virtual:words/chat'
import { ApprovalCard } from './approval-card.tsx'
import { CallDetails } from './call-details.tsx'

/** The calls of tools of an answer, in the order in which they were made. */
export function ToolCalls({ calls, live = false }: { calls: readonly ToolCall[]; live?: boolean }) {
  if (calls.length === 0) return null
  return (
    <ul className="mb-3 flex flex-col gap-1.5">
      {calls.map((call) => (
        <li key={call.id}>{call.steps ? <Plan call={call} /> : <Call call={call} live={live} />}</li>
      ))}
    </ul>
  )
}

type CallState = 'waiting' | 'open' | 'done' | 'failed' | 'refused' | 'unanswered'

const stateOf = ({ approval, result }: ToolCall, live: boolean): CallState => {
  if (approval?.decision === 'deny') return 'refused'
  if (result) return result.status
  if (approval?.decision === null) return live ? 'waiting' : 'unanswered'
  return live ? 'open' : 'unanswered'
}

const icons = {
  waiting: <CircleHelp className="text-warn-ink" />,
  open: <Spinner size={14} label="" />,
  done: <Check className="text-ok-ink" />,
  failed: <CircleAlert className="text-danger-ink" />,
  refused: <CircleSlash className="text-muted" />,
  unanswered: <CircleDashed className="text-muted" />,
}

/** One line, opened on demand; with the question for permission below it while that waits. */
function Call({ call, live }: { call: ToolCall; live: boolean }) {
  const t = useText('chat')
  const [open, setOpen] = useState(false)
  const state = stateOf(call, live)
  const place = call.places?.[0]
  return (
    <div className="rounded-lg border border-line bg-sunken text-sm">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="hit flex w-full items-center gap-2 rounded-lg px-3 py-1.5 text-start hover:bg-hover"
      >
        <Wrench aria-hidden className="size-3.5 shrink-0 text-muted" />
        <span dir="auto" className="min-w-0 truncate font-medium">
          {call.name}
        </span>
        {place && (
          <span dir="ltr" className="min-w-0 flex-1 truncate text-xs text-muted">
            {place.line === null ? place.path : `${place.path}:${place.line}`}
          </span>
        )}
        <span className="ms-auto flex shrink-0 items-center gap-1.5 text-xs text-muted [&_svg]:size-3.5">
          <span aria-hidden>{icons[state]}</span>
          {t(`tools.${state}`)}
        </span>
        <ChevronRight
          aria-hidden
          className={classNames('size-3.5 shrink-0 rtl:-scale-x-100', open && 'rotate-90 rtl:rotate-90')}
        />
      </button>
      {(open || state === 'waiting') && <CallDetails call={call} />}
      {state === 'waiting' && call.approval && <ApprovalCard name={call.name} approval={call.approval} />}
    </div>
  )
}

/** What is to be done, and how far it is. */
function Plan({ call: { steps = [] } }: { call: ToolCall }) {
  const t = useText('chat')
  const done = steps.filter(({ state }) => state === 'done').length
  return (
    <section className="rounded-lg border border-line bg-sunken px-3 py-2 text-sm">
      <h4 className="flex items-center gap-2 font-medium">
        <ListChecks aria-hidden className="size-3.5 text-muted" />
        {t('tools.plan', { done, count: steps.length })}
      </h4>
      <ul className="mt-1.5 flex flex-col gap-1">
        {steps.map(({ text, state }, index) => (
          // Steps have no id; they are told anew as a whole.
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a step is known by
          <li key={index} className="flex items-start gap-2 [&_svg]:mt-0.5 [&_svg]:size-3.5 [&_svg]:shrink-0">
            {state === 'done' ? (
              <Check role="img" aria-label={t('tools.step.done')} className="text-ok-ink" />
            ) : (
              <CircleDashed
                role="img"
                aria-label={t(`tools.step.${state}`)}
                className={state === 'running' ? 'text-accent-ink' : 'text-muted'}
              />
            )}
            <span dir="auto" className={state === 'done' ? 'text-muted' : undefined}>
              {text}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
