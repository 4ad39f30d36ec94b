import { type ToolCallEntry, toolsRoutes as routes } from '@atrium/contract/tools'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { pagesOf } from '../../../api/pages.ts'
import { PagedList } from '../../../blocks/paged-list.tsx'
import { Section } from '../../../blocks/setting-row/section.tsx'
import { ToolIcon, toolName } from '../../../blocks/tool-calls/tool-words.tsx'
import { formatAgo, formatDateTime, formatDuration } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Badge } from '../../../ui/badge.tsx'
import { useText as useToolWords } from 'virtual:words/tool-calls'
import { useText } from 'virtual:words/tools'
import { Filters, type HistoryFilter, noFilter, toQuery } from './history-filters.tsx'

const tones = { succeeded: 'ok', failed: 'danger', unknown: 'warn', awaiting_approval: 'warn' } as const

/** The calls that were made for the account: what, where, when, and by whose decision. */
export function CallHistory() {
  const t = useText('tools')
  const [filter, setFilter] = useState<HistoryFilter>(noFilter)
  const pages = useInfiniteQuery({
    ...pagesOf(routes.calls, { query: { limit: 30, ...toQuery(filter) } }),
    staleTime: 0,
  })
  return (
    <Section id="history" title={t('history.title')} text={t('history.text')}>
      <div className="flex flex-col gap-3 pt-2">
        <Filters filter={filter} onChange={setFilter} />
        <PagedList
          pages={pages}
          label={t('history.title')}
          failed={t('history.failed')}
          empty={<p className="py-3 text-muted">{t(filter === noFilter ? 'history.none' : 'history.noneSuch')}</p>}
        >
          {(pages.data ?? []).map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </PagedList>
      </div>
    </Section>
  )
}

function Entry({ entry }: { entry: ToolCallEntry }) {
  const t = useText('tools')
  const words = useToolWords('tool-calls')
  const { toolId, source, serverName, status, decidedBy, chatId, subjectId, createdAt, startedAt, endedAt } = entry
  const tool = { name: source === 'builtin' ? toolId.replace(/^builtin:/, '') : entry.toolName, source }
  const took = startedAt && endedAt ? Date.parse(endedAt) - Date.parse(startedAt) : null
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-2.5">
      <ToolIcon tool={tool} className="size-4 shrink-0 text-muted" />
      <div className="min-w-44 flex-1">
        <p>
          <bdi className="font-medium wrap-anywhere">{toolName(words, tool)}</bdi>
          {serverName && <bdi className="text-muted"> {serverName}</bdi>}
        </p>
        <p className="text-sm text-muted">
          <span title={formatDateTime(createdAt)}>{formatAgo(createdAt)}</span>
          {took !== null && ` · ${formatDuration(took)}`}
          {decidedBy && ` · ${t(`history.decided.${decidedBy}`)}`}
          {chatId && (
            <>
              {' · '}
              <Link to={links.chat(chatId, subjectId)} className="text-accent-ink underline underline-offset-2">
                {t('history.open')}
              </Link>
            </>
          )}
        </p>
      </div>
      <Badge tone={status in tones ? tones[status as keyof typeof tones] : 'plain'}>
        {t(`history.status.${status}`)}
      </Badge>
    </li>
  )
}
