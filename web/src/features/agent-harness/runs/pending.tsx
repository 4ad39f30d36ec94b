import { agentHarnessRoutes, type HarnessDecision, type HarnessRun } from '@atrium/contract/agent-harness'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { codeOf, wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { Button } from '../../../ui/button.tsx'
import { harnessLink } from '../search.ts'
import { useRuns } from './tab.tsx'
import { Code } from './timeline-list.tsx'
import { foldTimeline } from './timeline.ts'
import { useText } from 'virtual:words/agent-harness'

/** The questions for permission of all runs, in one list. */
export function PendingPermissions() {
  const t = useText('agent-harness')
  const blocked = (useRuns().data?.items ?? []).filter(({ state }) => state === 'blocked')
  const [answered, setAnswered] = useState<{ readonly id: string; readonly words: string } | null>(null)
  const runs = blocked.map((run) => (
    <PermissionsOfRun key={run.runId} run={run} onAnswered={(id, words) => setAnswered({ id, words })} />
  ))
  return (
    <section aria-label={t('permission.title')} className="mt-4 flex flex-col gap-3 empty:hidden">
      {runs}
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
  const params = { id: run.runId }
  const details = useQuery({ ...queryOf(agentHarnessRoutes.readRun, { params }), staleTime: 0, refetchInterval: 3000 })
  const pending = details.data?.pendingPermissions ?? []
  const events = useQuery({
    ...queryOf(agentHarnessRoutes.runEvents, { params, query: { limit: 2000 } }),
    staleTime: 0,
    enabled: pending.length > 0,
  })
  const calls = foldTimeline(events.data?.items ?? []).flatMap((entry) => (entry.kind === 'tool' ? [entry] : []))
  return pending.map((toolCallId) => {
    const asked = calls.find((one) => one.toolCallId === toolCallId)
    return (
      <PermissionCard
        key={toolCallId}
        run={run}
        toolCallId={toolCallId}
        name={asked?.name ?? ''}
        input={asked?.input ?? ''}
        onAnswered={onAnswered}
      />
    )
  })
}

const decisions = ['allow_once', 'always_allow_tool', 'deny'] as const

function PermissionCard({
  run,
  toolCallId,
  name,
  input,
  onAnswered,
}: RunProps & { toolCallId: string; name: string; input: string }) {
  const t = useText('agent-harness')
  const params = { id: run.runId }
  const decide = useMutation({
    mutationFn: (decision: HarnessDecision) =>
      call(agentHarnessRoutes.decide, { params: { id: run.runId, toolCallId }, body: { decision } }),
    onError: async (error) => {
      if (codeOf(error) !== 'permission_gone') return
      const { items } = await call(agentHarnessRoutes.runEvents, { params, query: { limit: 2000 } })
      const entry = foldTimeline(items).find((one) => one.kind === 'tool' && one.toolCallId === toolCallId)
      const resolution = entry?.kind === 'tool' ? entry.resolution : null
      const known = decisions.find((one) => one === resolution)
      onAnswered(toolCallId, known ? t(`permission.elsewhere.${known}`, { name }) : wordsOf(error))
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
      <Code text={input} />
      <div className="mt-2 flex flex-wrap gap-2">
        {decisions.map((decision) => (
          <Button
            key={decision}
            size="small"
            tone={decision === 'allow_once' ? 'primary' : 'plain'}
            busy={decide.isPending && decide.variables === decision}
            disabled={decide.isPending}
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
