import { agentHarnessRoutes, type HarnessDecision, type HarnessRun } from '@atrium/contract/agent-harness'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { codeOf, wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { formatNumber } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { harnessLink } from '../search.ts'
import { readAnswered, useAskedCalls } from './asked-calls.ts'
import { useRuns } from './tab.tsx'
import { Code } from './timeline-list.tsx'
import type { ToolEntry } from './timeline.ts'
import { useText } from 'virtual:words/agent-harness'

/** So many runs, and questions of one, are shown at a time: those that are answered make room. */
const most = 20

/** The questions for permission of all runs, in one list. */
export function PendingPermissions() {
  const t = useText('agent-harness')
  const items = useRuns().data?.items ?? []
  const blocked = items.filter(({ state }) => state === 'blocked')
  // One that asked several things runs again after the first answer, and waits all the same.
  const open = [...blocked, ...items.filter(({ state }) => state === 'running')]
  const [answered, setAnswered] = useState<{ readonly id: string; readonly words: string } | null>(null)
  const runs = open
    .slice(0, most)
    .map((run) => <PermissionsOfRun key={run.runId} run={run} onAnswered={(id, words) => setAnswered({ id, words })} />)
  return (
    <section aria-label={t('permission.title')} className="mt-4 flex flex-col gap-3 empty:hidden">
      {runs}
      {blocked.length > most && <p className="text-sm text-muted">{t('permission.moreRuns')}</p>}
      {answered && (
        <p role="status" className="text-sm text-muted">
          {answered.words}
        </p>
      )}
    </section>
  )
}

interface RunProps {
  run: HarnessRun
  /** Told what became of a question, in words. */
  onAnswered: (id: string, words: string) => void
}

function PermissionsOfRun({ run, onAnswered }: RunProps) {
  const t = useText('agent-harness')
  const params = { id: run.runId }
  const details = useQuery({ ...queryOf(agentHarnessRoutes.readRun, { params }), staleTime: 0, refetchInterval: 3000 })
  const waiting = details.data?.pendingPermissions ?? []
  const pending = waiting.slice(0, most)
  const asked = useAskedCalls(run.runId, pending)
  return (
    <>
      {pending.map((toolCallId) => (
        <PermissionCard
          key={toolCallId}
          run={run}
          toolCallId={toolCallId}
          asked={asked.find(toolCallId)}
          isPending={asked.isPending}
          onAnswered={onAnswered}
        />
      ))}
      {waiting.length > most && (
        <p className="text-sm text-muted">
          {t('permission.more', { shown: formatNumber(waiting.length - most), title: run.title || run.runId })}
        </p>
      )}
    </>
  )
}

const decisions = ['allow_once', 'always_allow_tool', 'deny'] as const

function PermissionCard({
  run,
  toolCallId,
  asked,
  isPending,
  onAnswered,
}: RunProps & { toolCallId: string; asked: ToolEntry | undefined; isPending: boolean }) {
  const t = useText('agent-harness')
  const params = { id: run.runId }
  const name = asked?.name || toolCallId
  const decide = useMutation({
    mutationFn: (decision: HarnessDecision) =>
      call(agentHarnessRoutes.decide, { params: { id: run.runId, toolCallId }, body: { decision } }),
    onError: async (error) => {
      if (codeOf(error) !== 'permission_gone') return
      const answered = await readAnswered(run.runId, toolCallId).catch(() => undefined)
      const known = decisions.find((one) => one === answered?.resolution)
      onAnswered(
        toolCallId,
        known ? t(`permission.elsewhere.${known}`, { name: answered?.name || name }) : wordsOf(error),
      )
    },
    onSettled: () => {
      void refresh(agentHarnessRoutes.readRun, { params })
      void refresh(agentHarnessRoutes.runs)
    },
  })
  return (
    <div
      role="group"
      aria-label={t('permission.of', { name })}
      className="rounded-lg border border-warn-ink/35 bg-warn-soft px-3.5 py-3"
    >
      <p>
        {t('permission.asks')} <code className="font-medium">{name}</code>
        {' · '}
        <Link to={harnessLink({ run: run.runId })} className="text-accent-ink hover:underline">
          <bdi>{run.title || run.runId}</bdi>
        </Link>
      </p>
      <Code text={asked?.input ?? ''} />
      {!asked && (
        <p role="status" className="mt-1 text-sm text-muted">
          {t(isPending ? 'permission.loading' : 'permission.unknown')}
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        {decisions.map((decision) => (
          <Button
            key={decision}
            size="small"
            tone={decision === 'allow_once' ? 'primary' : 'plain'}
            busy={decide.isPending && decide.variables === decision}
            // Nobody allows what he has not seen.
            disabled={decide.isPending || (!asked && decision !== 'deny')}
            onClick={() => decide.mutate(decision)}
          >
            {t(`permission.${decision}`)}
          </Button>
        ))}
      </div>
      {decide.error && codeOf(decide.error) !== 'permission_gone' && (
        <p role="alert" className="mt-2 text-sm text-danger-ink">
          {wordsOf(decide.error)}
        </p>
      )}
    </div>
  )
}
