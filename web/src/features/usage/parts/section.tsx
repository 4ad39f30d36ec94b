import type { ReactNode } from 'react'

/** A part of the page with its heading. */
export function Section({
  id,
  title,
  text,
  actions,
  children,
}: {
  id?: string
  title: string
  text?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <section id={id} className="mt-8 min-w-0">
      <div className="mb-2 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 className="text-md font-semibold">{title}</h2>
          {text && <p className="mt-0.5 text-sm text-muted">{text}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  )
}
