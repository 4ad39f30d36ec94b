import { type ReactNode, useId } from 'react'

/** A part of the page of a project. */
export function Card({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-lg border border-line bg-raised px-4 py-3">
      <div className="mb-2 flex min-h-control-small items-center gap-2">
        <h2 id={id} className="min-w-0 flex-1 truncate font-semibold">
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}
