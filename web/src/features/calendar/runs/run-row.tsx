import { Link } from '@tanstack/react-router'
import { Workflow } from 'lucide-react'
import { links } from '../../../lib/links.ts'
import { formatTime } from '../data/format.ts'
import type { RunMark } from './entries.ts'
import { RunSign } from './run-link.tsx'
import { useText } from 'virtual:words/calendar'

/** One run in a list of a day: when, of what, and how it ended. */
export function RunRow({ mark }: { mark: RunMark }) {
  const t = useText('calendar')
  const { name, state, automationId } = mark.run
  return (
    <Link
      to={links.automation(automationId)}
      data-run={mark.key}
      className="flex w-full items-start gap-2 rounded-md px-2 py-1.5 text-start hover:bg-hover"
    >
      <Workflow aria-hidden className="mt-1 -ms-0.5 size-3.5 shrink-0 text-muted" />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-muted">
          {name}
        </span>
        <span className="flex items-center gap-1 text-sm text-muted">
          {formatTime(mark.range.start)}
          <span aria-hidden>·</span>
          <RunSign state={state} />
          {t(`runState.${state}`)}
        </span>
      </span>
    </Link>
  )
}
