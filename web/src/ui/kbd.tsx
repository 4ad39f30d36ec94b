import { classNames } from '../lib/class-names.ts'
import { readableKeys } from '../lib/platform.ts'

/** Keys as this system names them. */
export function Kbd({ keys, onInk, className }: { keys: string; onInk?: boolean; className?: string }) {
  return (
    <kbd
      className={classNames(
        'rounded-sm px-1 font-sans text-2xs whitespace-nowrap',
        onInk ? 'bg-surface/20 text-surface' : 'border border-line bg-sunken text-muted',
        className,
      )}
    >
      {readableKeys(keys)}
    </kbd>
  )
}
