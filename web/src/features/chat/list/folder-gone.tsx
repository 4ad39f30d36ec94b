import { useNavigate } from '@tanstack/react-router'
import { FolderX } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'

/** In place of a project that is not there, or not any more, and where to go instead. */
export function FolderGone({
  title,
  children,
  to,
  place,
  primary = false,
}: {
  title: string
  children: string
  to: string
  /** What stands at that address. */
  place: string
  primary?: boolean
}) {
  const navigate = useNavigate()
  return (
    <EmptyState
      className="my-auto"
      pageTitle
      icon={<FolderX />}
      title={title}
      action={
        <Button tone={primary ? 'primary' : undefined} onClick={() => void navigate({ to })}>
          {place}
        </Button>
      }
    >
      {children}
    </EmptyState>
  )
}
