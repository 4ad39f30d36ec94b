import { createContext, type ReactNode, use } from 'react'

/** The level of the headings of parts: one below the heading that the page itself has. */
export const PartLevel = createContext<2 | 3>(2)

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
  const Heading = use(PartLevel) === 2 ? 'h2' : 'h3'
  return (
    <section id={id} className="mt-8 min-w-0">
      <div className="mb-2 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <Heading className="text-md font-semibold">{title}</Heading>
          {text && <p className="mt-0.5 text-sm text-muted">{text}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  )
}
