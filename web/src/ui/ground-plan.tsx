import { classNames } from '../lib/class-names.ts'

/** The court’s ground plan behind a page: walls and columns around an open middle, drawn thin. */
export function GroundPlan({ className = 'absolute' }: { className?: 'absolute' | 'fixed' }) {
  return (
    <svg
      aria-hidden
      className={classNames(
        'pointer-events-none inset-0 size-full text-line',
        className,
        className === 'absolute' && 'max-tab:hidden',
      )}
      preserveAspectRatio="xMidYMid slice"
      viewBox="0 0 1200 800"
    >
      <g fill="none" stroke="currentColor" strokeWidth="1">
        {/* The street side: where the plan is the whole window. */}
        {className === 'fixed' && <rect x="80" y="-60" width="1040" height="920" rx="40" />}
        <rect x="200" y="40" width="800" height="720" rx="28" />
        {columns.map(([x, y]) => (
          <rect key={`${x} ${y}`} x={x - 9} y={y - 9} width="18" height="18" rx="3" fill="var(--surface)" />
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
