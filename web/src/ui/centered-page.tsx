import type { ReactNode } from 'react'
import { Mark } from './mark.tsx'

/** A page before the shell: sign-in, first run. The court's ground plan lies behind it. */
export function CenteredPage({
  title,
  lead,
  wide,
  children,
}: {
  title: string
  lead?: ReactNode
  wide?: boolean
  children: ReactNode
}) {
  return (
    <div className="relative h-dvh overflow-y-auto">
      <GroundPlan />
      <main id="main" className="relative grid min-h-full content-center justify-items-center px-4 py-10">
        <div className={wide ? 'w-full max-w-2xl' : 'w-full max-w-sm'}>
          <p className="mb-7 flex items-center gap-2.5 text-lg font-semibold tracking-tight">
            <Mark size={26} />
            Atrium
          </p>
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
          {lead && <div className="mt-2 text-md text-muted">{lead}</div>}
          <div className="mt-6">{children}</div>
        </div>
      </main>
    </div>
  )
}

/** Walls and columns around an open middle, drawn thin. */
function GroundPlan() {
  return (
    <svg
      aria-hidden
      className="pointer-events-none fixed inset-0 size-full text-line"
      preserveAspectRatio="xMidYMid slice"
      viewBox="0 0 1200 800"
    >
      <g fill="var(--canvas)" stroke="currentColor" strokeWidth="1">
        <rect x="80" y="-60" width="1040" height="920" rx="40" />
        <rect x="200" y="40" width="800" height="720" rx="28" />
        {columns.map(([x, y]) => (
          <rect key={`${x} ${y}`} x={x - 9} y={y - 9} width="18" height="18" rx="3" />
        ))}
      </g>
    </svg>
  )
}

const columns: [number, number][] = [200, 360, 520, 680, 840, 1000].flatMap((x) => [
  [x, 40] as [number, number],
  [x, 760] as [number, number],
])
columns.push([200, 220], [200, 400], [200, 580], [1000, 220], [1000, 400], [1000, 580])
