import { Button } from '../ui/button.tsx'
import { useText } from 'virtual:words/blocks'

/** Fetches the next page of a list; nothing where there is none. */
export function MoreButton({
  pages,
  className,
}: {
  pages: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
  className?: string
}) {
  const t = useText('blocks')
  if (!pages.hasNextPage) return null
  return (
    <Button className={className} busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
      {t('more')}
    </Button>
  )
}
