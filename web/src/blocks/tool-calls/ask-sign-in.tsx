import { Button } from '../../ui/button.tsx'
import { useText } from 'virtual:words/tool-calls'
import { SignInButton } from '../tool-sign-in/sign-in-button.tsx'
import type { Verdict } from './approval-card.tsx'

/** A call waits until its person has signed in at the server, and goes on then. */
export function AskSignIn({
  serverId,
  busy,
  decide,
}: {
  serverId: string
  busy: boolean
  decide: (verdict: Verdict) => void
}) {
  const t = useText('tool-calls')
  return (
    <div className="flex flex-wrap gap-1.5">
      <SignInButton
        serverId={serverId}
        size="small"
        tone="primary"
        onEnded={({ reason }) => reason === null && decide({ decision: 'allow_once' })}
      />
      <Button size="small" disabled={busy} onClick={() => decide({ decision: 'deny' })}>
        {t('ask.decline')}
      </Button>
    </div>
  )
}
