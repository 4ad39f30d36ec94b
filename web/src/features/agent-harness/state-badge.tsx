import type { HarnessRunState } from '@atrium/contract/agent-harness'
import { Badge } from '../../ui/badge.tsx'
import { useText } from 'virtual:words/agent-harness'

const tones = {
  queued: 'plain',
  running: 'info',
  blocked: 'warn',
  done: 'ok',
  failed: 'danger',
  cancelled: 'plain',
} as const

export function RunStateBadge({ state }: { state: HarnessRunState }) {
  const t = useText('agent-harness')
  return <Badge tone={tones[state]}>{t(`state.${state}`)}</Badge>
}

/** Whether more can come of a run. */
export const isOpen = (state: HarnessRunState): boolean =>
  state === 'queued' || state === 'running' || state === 'blocked'
