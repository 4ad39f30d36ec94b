import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'
import { ErrorCard, type Failure } from './error-card.tsx'
import { useUiWords } from './words.tsx'

export interface FormDialogProps extends Pick<DialogProps, 'title' | 'description' | 'width'> {
  /** The word on the button that submits; without it the window can only be closed. */
  submit?: string
  tone?: 'primary' | 'danger'
  /** It is being done: another try waits for the answer. */
  busy?: boolean
  /** There is nothing to submit yet. */
  disabled?: boolean
  /** Why the last try failed; what was typed stays. */
  error?: Failure | null
  onSubmit: () => void
  onClose: () => void
  children?: ReactNode
}

/** A window with a form in it. Enter submits; after a try that failed, the focus is at what was wrong. */
export function FormDialog({
  submit,
  tone = 'primary',
  busy = false,
  disabled,
  error,
  onSubmit,
  onClose,
  children,
  ...window
}: FormDialogProps) {
  const words = useUiWords()
  const formId = useId()
  const form = useRef<HTMLFormElement>(null)
  const [tries, setTries] = useState(0)
  const sent = useRef(false)
  function send(event: FormEvent) {
    event.preventDefault()
    // A window that was opened from a form stands inside it for React, though not on the page.
    event.stopPropagation()
    if (busy || disabled || sent.current) return
    sent.current = true
    onSubmit()
    // By then `busy` says whether something is under way; until then a second Enter is none.
    setTimeout(() => {
      sent.current = false
      setTries((before) => before + 1)
    })
  }
  useEffect(() => {
    if (tries > 0 && !busy) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-failure]')?.focus()
  }, [tries, busy])
  return (
    <Dialog
      open
      onOpenChange={onClose}
      {...window}
      footer={
        <>
          <Button onClick={onClose}>{submit === undefined ? words.close : words.cancel}</Button>
          {submit !== undefined && (
            <Button tone={tone} type="submit" form={formId} busy={busy} disabled={disabled}>
              {submit}
            </Button>
          )}
        </>
      }
    >
      <form
        ref={form}
        id={formId}
        noValidate
        autoComplete="off"
        onSubmit={send}
        // Browsers put timers off while keys come in: what was typed since is another try, however soon it comes.
        onInput={() => (sent.current = false)}
        className="flex flex-col gap-4 pb-2"
      >
        {children}
        {error && (
          <div data-failure tabIndex={-1} className="rounded-lg outline-none">
            <ErrorCard {...error} />
          </div>
        )}
      </form>
    </Dialog>
  )
}
