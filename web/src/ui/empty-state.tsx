import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'

/** One sentence, one main action, perhaps an example. */
export function EmptyState({
  icon,
  title,
  children,
  action,
  className,
}: {
  icon?: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
  className?: string
}) {
  return (
    <div className={cx('mx-auto flex max-w-sm flex-col items-center gap-2 px-6 py-10 text-center', className)}>
      {icon && (
        <div className="mb-1 grid size-10 place-items-center rounded-lg border border-line bg-sunken text-muted [&_svg]:size-5">
          {icon}
        </div>
      )}
      <h2 className="text-md font-semibold">{title}</h2>
      {children && <div className="text-base text-muted">{children}</div>}
      {action && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
