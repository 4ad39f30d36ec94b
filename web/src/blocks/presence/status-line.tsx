import { usePresence } from './use-presence.ts'

/** What somebody says of themselves, if they do. */
export function StatusLine({ userId, className }: { userId: string; className?: string }) {
  const status = usePresence(userId)?.status
  if (!status) return null
  return (
    <span dir="auto" title={status} className={className}>
      {status}
    </span>
  )
}
