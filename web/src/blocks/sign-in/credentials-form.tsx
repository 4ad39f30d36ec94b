import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { useText } from 'virtual:words/sign-in'
import { useWait, waitOf } from './use-wait.ts'

/** A form at the door: what failed, the fields, and a wide button. What must be filled in is said by the browser. */
export function CredentialsForm({
  submit,
  label,
  busy,
  failed,
  error,
  onSubmit,
  children,
}: {
  /** The word on the button. */
  submit: string
  /** What the form is called, where no title stands above it. */
  label?: string
  busy: boolean
  /** What went wrong, where no field says it. */
  failed?: string | null | false
  /** What the last try was refused with: one for too many of them is waited out here. */
  error?: unknown
  onSubmit: () => void
  children: ReactNode
}) {
  const t = useText('sign-in')
  const wait = useWait(error)
  // Once it was waited for, there is nothing left to say.
  const told = waitOf(error) > 0 ? wait > 0 && t('tooMany') : failed
  return (
    <form
      aria-label={label}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy && wait === 0) onSubmit()
      }}
    >
      {told && <ErrorCard title={told} />}
      {children}
      <Button type="submit" tone="primary" size="large" busy={busy} disabled={wait > 0} className="mt-1 tabular-nums">
        {wait > 0 ? t('waitFor', { count: wait }) : submit}
      </Button>
    </form>
  )
}
