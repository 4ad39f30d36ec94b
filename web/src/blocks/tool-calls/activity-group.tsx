import type { ToolCall } from '@atrium/contract/generation'
import { ChevronRight, CircleHelp, Wrench } from 'lucide-react'
import { useEffect } from 'react'
import { announce } from '../../lib/announce.ts'
import { classNames } from '../../lib/class-names.ts'
import { factSeparator, formatDuration } from '../../lib/format.ts'
import type { Translate } from '../../lib/texts.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { useText } from 'virtual:words/tool-calls'
import { CallRow } from './call-row.tsx'
import { PlanCard } from './plan-card.tsx'
import { type ActivitySummary, summariseCalls } from './summary.ts'
import { targetOf } from './target.ts'
import { toolDid, toolName, toolNow } from './tool-words.tsx'

/** Kinds of what was done that the line names before it counts the rest. */
const mostNamed = 3

/**
 * All calls of tools of an answer: one line that says what happens now and later what was done, and all of them in their
 * order on demand. `goesOn`: the answer does, or waits.
 */
export function ActivityGroup({
  calls,
  goesOn,
  isOpen,
  onOpenChange,
}: {
  calls: readonly ToolCall[]
  goesOn: boolean
  isOpen: boolean
  onOpenChange: (open: boolean) => void
}) {
  const t = useText('tool-calls')
  const plans = calls.filter((call) => call.steps)
  const acts = calls.filter((call) => !call.steps)
  const summary = summariseCalls(acts, goesOn)
  const line = summary.now ? sayNow(t, summary.now) : sayDone(t, summary, acts.length)
  const said = goesOn && summary.now?.state === 'running' ? line : null
  useEffect(() => {
    if (said !== null) announce(said)
  }, [said])
  return (
    <div className="mb-3 flex flex-col gap-1.5">
      {plans.map(({ id, steps = [] }) => (
        <PlanCard key={id} steps={steps} />
      ))}
      {acts.length > 0 && (
        <div>
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => onOpenChange(!isOpen)}
            className="hit -ms-1.5 flex max-w-full items-center gap-1.5 rounded-md px-1.5 py-1 text-start text-sm text-muted hover:bg-hover hover:text-ink"
          >
            <span aria-hidden className="shrink-0 [&_svg]:size-3.5">
              {summary.now?.state === 'awaiting' ? (
                <CircleHelp className="text-warn-ink" />
              ) : summary.now ? (
                <Spinner size={14} label="" />
              ) : (
                <Wrench />
              )}
            </span>
            <span className="min-w-0 truncate">
              <bdi>{line}</bdi>
            </span>
            <ChevronRight
              aria-hidden
              className={classNames('size-3.5 shrink-0 transition-transform', isOpen && 'rotate-90 rtl:-rotate-90')}
            />
          </button>
          {isOpen && (
            <ol aria-label={t('activity')} className="mt-1 flex flex-col gap-1.5 border-s-2 border-line ps-3">
              {acts.map((call) => (
                <li key={call.id}>
                  <CallRow call={call} open={goesOn} />
                </li>
              ))}
            </ol>
          )}
        </div>
      )}
    </div>
  )
}

function sayNow(t: Translate, { call, state }: NonNullable<ActivitySummary['now']>): string {
  if (state === 'awaiting') {
    const isAsked = (call.approval?.kind ?? 'call') !== 'call'
    return isAsked ? t('needsAnswer') : t('about', { what: t('needs'), target: toolName(t, call) })
  }
  const target = targetOf(call)
  return target === null ? toolNow(t, call) : t('about', { what: toolNow(t, call), target })
}

function sayDone(t: Translate, { done, steps, failed, denied, tookMs }: ActivitySummary, all: number): string {
  const named = done.slice(0, mostNamed).map(({ call, count }) => {
    const what = toolDid(t, call)
    return count === 1 ? what : t('times', { what, count })
  })
  const rest = done.length - named.length
  const parts = [
    ...named,
    rest > 0 && t('more', { count: rest }),
    steps > 0 && t('steps', { count: steps }),
    failed > 0 && t('failures', { count: failed }),
    denied > 0 && t('denials', { count: denied }),
    tookMs !== null && formatDuration(tookMs),
  ].filter((part) => part !== false)
  const counted = done.length + steps + failed + denied > 0
  return (counted ? parts : [t('calls', { count: all }), ...parts]).join(factSeparator())
}
