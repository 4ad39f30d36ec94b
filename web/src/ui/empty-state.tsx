import type { ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'

/** One sentence, one main action, perhaps an example. */
export function EmptyState({
  icon,
  title,
  children,
  action,
  pageTitle,
  className,
}: {
  icon?: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
  /** It is the whole page, so its title is the page's heading. */
  pageTitle?: boolean
  className?: string
}) {
  const Heading = pageTitle ? 'h1' : 'h2'
  return (
    <div className={classNames('mx-auto flex max-w-sm flex-col items-center gap-2 px-6 py-10 text-center', className)}>
      {icon && (
        <div className="mb-1 grid size-10 place-items-center rounded-lg border border-line bg-sunken text-muted [&_svg]:size-5">
          {icon}
        </div>
      )}
      <Heading className="text-md font-semibold">{title}</Heading>
      {children && <div className="text-base text-muted">{children}</div>}
      {action && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
