import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'

/** A form at the door: what failed, the fields, and a wide button. What must be filled in is said by the browser. */
export function CredentialsForm({
  submit,
  label,
  busy,
  failed,
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
  onSubmit: () => void
  children: ReactNode
}) {
  return (
    <form
      aria-label={label}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) onSubmit()
      }}
    >
      {failed && <ErrorCard title={failed} />}
      {children}
      <Button type="submit" tone="primary" size="large" busy={busy} className="mt-1">
        {submit}
      </Button>
    </form>
  )
}
