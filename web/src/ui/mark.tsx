/** The mark: a square court, open to the sky, with its pool. */
export function Mark({ size = 24, className }: { size?: number; className?: string }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden className={className}>
      <path
        d="M9 3.25H5.75a2.5 2.5 0 0 0-2.5 2.5v12.5a2.5 2.5 0 0 0 2.5 2.5h12.5a2.5 2.5 0 0 0 2.5-2.5V5.75a2.5 2.5 0 0 0-2.5-2.5H15"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
      <rect x="8.25" y="9.25" width="7.5" height="7.5" rx="1.5" fill="var(--accent, currentColor)" />
    </svg>
  )
}
