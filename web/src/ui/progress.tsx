import { classNames } from '../lib/class-names.ts'

/** How much of it is done, 0 to 1; null while nobody knows. */
export function Progress({ label, share, className }: { label: string; share: number | null; className?: string }) {
  return (
    <progress
      aria-label={label}
      max={1}
      value={share === null ? undefined : Math.min(1, Math.max(0, share))}
      className={classNames(
        'block h-1.5 w-auto appearance-none overflow-hidden rounded-full bg-hover [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-hover [&::-webkit-progress-value]:bg-accent',
        className,
      )}
    />
  )
}
