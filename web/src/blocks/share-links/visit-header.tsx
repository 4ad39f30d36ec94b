import { Mark } from '../../ui/mark.tsx'
import { useText } from 'virtual:words/share-links'

/** What is shown by a link, and who shares it. */
export function VisitHeader({ title, ownerName }: { title: string; ownerName: string | null }) {
  const t = useText('share-links')
  return (
    <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line px-4">
      <Mark size={20} />
      <h1 dir="auto" className="min-w-0 flex-1 truncate font-medium">
        {title}
      </h1>
      <span className="max-w-[45%] shrink-0 truncate text-sm text-muted">
        {ownerName === null ? t('visit.bySomebody') : t('visit.by', { name: ownerName })}
      </span>
    </header>
  )
}
