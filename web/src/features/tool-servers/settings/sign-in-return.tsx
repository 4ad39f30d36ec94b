import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSignInFault } from '../../../blocks/tool-sign-in/sign-in-fault.ts'
import { endSignIn, outcomeIn } from '../../../blocks/tool-sign-in/sign-in-window.ts'
import { links } from '../../../lib/links.ts'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { useText } from 'virtual:words/tool-sign-in'

/** Where the window of a sign-in comes back to: it tells the page behind it, and closes; else it says what came of it. */
export function SignInReturn() {
  const t = useText('tool-sign-in')
  const navigate = useNavigate()
  const [outcome] = useState(() => outcomeIn(location.search))
  const [fault] = useSignInFault(outcome)
  useEffect(() => {
    if (!outcome) return
    endSignIn(outcome)
    // The address is no state of this page: loaded again, it says nothing.
    void navigate({ to: links.settings('tools'), replace: true })
  }, [outcome, navigate])
  if (!outcome) return null
  if (fault !== null) return <ErrorCard title={t('failed.title')}>{fault}</ErrorCard>
  return (
    <p role="status" className="rounded-lg border border-line bg-accent-soft px-3.5 py-3">
      {t('done')}
    </p>
  )
}
