import type { ReactNode } from 'react'

/** Names with their values, in a box; those without a value are left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="divide-y divide-line rounded-lg border border-line bg-raised px-3.5">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
        .map(([name, value]) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-4 py-1.5 text-sm">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 text-end break-words tabular-nums">
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
    </dl>
  )
}

/** What stands in the place of a group that the server could not read. */
export function Unread({ children }: { children: ReactNode }) {
  return <p className="rounded-lg border border-line bg-sunken px-3.5 py-2.5 text-sm text-muted">{children}</p>
}
