import { CircleAlert, Copy } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { copyText } from '../lib/copy.ts'
import { classNames } from '../lib/class-names.ts'
import { Button } from './button.tsx'
import { Disclosure } from './disclosure.tsx'
import { useUiWords } from './words.tsx'

/** What failed, in one sentence, with details to pass on. */
export interface Failure {
  title: string
  details?: string
}

/** What failed, what can be done, another try, and details to pass on. */
export function ErrorCard({
  title,
  children,
  details,
  onRetry,
  retryLabel,
  actions,
  className,
}: {
  title: string
  /** What a person can do about it. */
  children?: ReactNode
  /** Code and request id, to copy. */
  details?: string
  onRetry?: () => void
  /** Default: Try again. */
  retryLabel?: string | undefined
  actions?: ReactNode
  className?: string
}) {
  const words = useUiWords()
  const [copied, setCopied] = useState(false)
  return (
    <div
      role="alert"
      className={classNames('rounded-lg border border-danger-ink/35 bg-danger-soft px-3.5 py-3', className)}
    >
      <div className="flex items-start gap-2.5">
        <CircleAlert aria-hidden className="mt-0.75 size-4 shrink-0 text-danger-ink" />
        <div className="min-w-0 flex-1">
          <p className="font-medium">{title}</p>
          {children && <div className="mt-0.5 text-base text-ink/90">{children}</div>}
          {(onRetry || actions || details) && (
            <div className="mt-2.5 flex flex-wrap items-center gap-2">
              {onRetry && (
                <Button size="small" onClick={onRetry}>
                  {retryLabel ?? words.retry}
                </Button>
              )}
              {actions}
              {details && (
                <Disclosure title={words.details} className="w-full text-sm">
                  <pre dir="ltr" className="mt-1 overflow-x-auto rounded-md bg-sunken p-2 text-xs whitespace-pre-wrap">
                    {details}
                  </pre>
                  <Button
                    tone="quiet"
                    size="small"
                    icon={<Copy className="size-3.5" />}
                    onClick={() => void copyText(details).then(() => setCopied(true))}
                  >
                    {copied ? words.copied : words.copyDetails}
                  </Button>
                </Disclosure>
              )}
            </div>
          )}
        </div>
      </div>
    </div>
  )
}
