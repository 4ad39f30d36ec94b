import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'

/** A line that opens what belongs to it below, the same everywhere. */
export function Disclosure({
  title,
  className,
  open,
  children,
}: {
  title: ReactNode
  /** Opens it; without it, whoever reads decides. */
  open?: boolean | undefined
  className?: string
  children: ReactNode
}) {
  return (
    <details open={open} className={classNames('group/disclosure', className)}>
      <summary className="flex w-fit list-none items-center gap-1 rounded-md py-1 pe-1.5 text-sm text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-3.5 shrink-0 transition-transform group-open/disclosure:rotate-90 rtl:group-open/disclosure:-rotate-90"
        />
        {title}
      </summary>
      {children}
    </details>
  )
}
