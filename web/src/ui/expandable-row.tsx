import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

/**
 * A row of a list that opens below itself: a name, what it is about, and at the end its state, which has a line of its own where
 * there is little room.
 */
export function ExpandableRow({
  name,
  about,
  end,
  children,
}: {
  name: string
  about: ReactNode
  end: ReactNode
  children: ReactNode
}) {
  return (
    <details className="group @container min-w-0 flex-1 basis-72">
      <summary className="flex min-h-11 cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1 rounded-md py-2 focus-visible:outline-2 focus-visible:outline-accent [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90 rtl:group-open:-rotate-90"
        />
        <span className="min-w-0 flex-1 basis-44">
          <span className="font-medium">{name}</span>{' '}
          <span className="text-muted">
            <bdi>{about}</bdi>
          </span>
        </span>
        <span className="flex items-center gap-3 @max-md:basis-full @max-md:ps-7">{end}</span>
      </summary>
      {children}
    </details>
  )
}

/** The facts in an open row; `Fact`s are its children. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <dl className="mb-3 ms-7 grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-sm [overflow-wrap:anywhere]">
      {children}
    </dl>
  )
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
