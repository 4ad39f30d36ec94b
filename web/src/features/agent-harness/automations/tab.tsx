import { agentHarnessRoutes, type HarnessAutomation } from '@atrium/contract/agent-harness'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarClock, Plus } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { formatAgo, formatDateTime } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useLastKnown } from '../connection.tsx'
import { harnessLink } from '../search.ts'
import { AutomationForm } from './form.tsx'
import { scheduleWords } from './schedule-words.ts'
import { useText } from 'virtual:words/agent-harness'

/** What the daemon does by itself, with the next times. */
export function AutomationsTab() {
  const t = useText('agent-harness')
  const [editing, setEditing] = useState<HarnessAutomation | 'new' | null>(null)
  const query = useQuery({
    ...queryOf(agentHarnessRoutes.automations, { query: { limit: 200 } }),
    staleTime: 0,
    refetchInterval: 30_000,
  })
  const lastKnown = useLastKnown()
  const data = query.data ?? (lastKnown?.automations ? { items: lastKnown.automations } : undefined)
  const add = (
    <Button tone="primary" icon={<Plus className="size-4" />} onClick={() => setEditing('new')}>
      {t('automation.add')}
    </Button>
  )
  return (
    <>
      <QueryView query={{ ...query, data }} title={t('automation.notLoaded')} lines={6}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={<CalendarClock />} title={t('automation.none')} action={add}>
              {t('automation.noneText')}
            </EmptyState>
          ) : (
            <>
              <div className="mb-3 flex justify-end">{add}</div>
              <ul className="flex flex-col gap-2">
                {items.map((one) => (
                  <AutomationEntry key={one.automationId} automation={one} onEdit={() => setEditing(one)} />
                ))}
              </ul>
            </>
          )
        }
      </QueryView>
      {editing && <AutomationForm automation={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
    </>
  )
}

function AutomationEntry({ automation, onEdit }: { automation: HarnessAutomation; onEdit: () => void }) {
  const t = useText('agent-harness')
  const [asking, setAsking] = useState(false)
  const { automationId: id, name, status, nextRunAt, lastRunAt, lastRunId } = automation
  const settled = {
    onError: (error: Error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => {
      setAsking(false)
      void refresh(agentHarnessRoutes.automations)
      void refresh(agentHarnessRoutes.runs)
    },
  }
  const params = { id }
  const turn = useMutation({
    mutationFn: () =>
      call(status === 'active' ? agentHarnessRoutes.pauseAutomation : agentHarnessRoutes.resumeAutomation, { params }),
    ...settled,
  })
  const run = useMutation({
    mutationFn: () => call(agentHarnessRoutes.runAutomation, { params }),
    onSuccess: () => toast(t('automation.started', { name })),
    ...settled,
  })
  const remove = useMutation({ mutationFn: () => call(agentHarnessRoutes.removeAutomation, { params }), ...settled })
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 rounded-lg border border-line bg-raised px-3.5 py-2.5">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-2">
          <bdi className="min-w-0 truncate font-medium">{name}</bdi>
          {status === 'paused' && <Badge>{t('automation.paused')}</Badge>}
        </p>
        <p className="mt-0.5 text-sm text-muted">
          <bdi>{scheduleWords(automation.schedule, t)}</bdi>
          {' · '}
          {t(`automation.route.${automation.route}`)}
        </p>
        <p className="mt-0.5 text-sm text-muted">
          {status === 'active' && nextRunAt && (
            <time dateTime={nextRunAt}>
              {t('automation.next', { when: formatAgo(nextRunAt), time: formatDateTime(nextRunAt) })}
            </time>
          )}
          {lastRunAt && lastRunId && (
            <>
              {status === 'active' && ' · '}
              <Link to={harnessLink({ run: lastRunId })} className="text-accent-ink hover:underline">
                {t('automation.last', { when: formatAgo(lastRunAt) })}
              </Link>
            </>
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="small" busy={run.isPending} onClick={() => run.mutate()}>
          {t('automation.run')}
        </Button>
        <Button size="small" busy={turn.isPending} onClick={() => turn.mutate()}>
          {t(status === 'active' ? 'automation.pause' : 'automation.resume')}
        </Button>
        <Button size="small" onClick={onEdit} aria-label={t('automation.editOf', { name })}>
          {t('automation.edit')}
        </Button>
        <Button size="small" onClick={() => setAsking(true)} aria-label={t('automation.removeOf', { name })}>
          {t('automation.remove')}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('automation.removeTitle')}
        confirm={t('automation.remove')}
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        {t('automation.removeText', { name })}
      </ConfirmDialog>
    </li>
  )
}
