import type { AutomationRun, RunState } from '@atrium/contract/automations'
import { Badge } from '../../ui/badge.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useText } from 'virtual:words/automations'

const tones = {
  queued: 'plain',
  running: 'info',
  waiting: 'warn',
  succeeded: 'ok',
  failed: 'danger',
  cancelled: 'plain',
  skipped: 'plain',
  missed: 'warn',
} as const satisfies Record<RunState, string>

export function StateBadge({ state }: Pick<AutomationRun, 'state'>) {
  const t = useText('automations')
  return (
    <Badge tone={tones[state]} icon={state === 'running' ? <Spinner size={12} /> : undefined}>
      {t(`state.${state}`)}
    </Badge>
  )
}
