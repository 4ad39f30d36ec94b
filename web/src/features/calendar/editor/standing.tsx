import type { CalendarEvent } from '@atrium/contract/calendar'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { readEvent } from '../data/changes.ts'
import { StandingEvent } from '../event/conflict-dialog.tsx'
import { useGrid } from '../grid/grid-context.ts'
import { useText } from 'virtual:words/calendar'

/** In the editor: the event was changed elsewhere meanwhile. What stands now, and which of the two is to hold. */
export function Standing({
  event,
  onMine,
  onTheirs,
}: {
  event: CalendarEvent
  onMine: (version: number) => void
  onTheirs: (event: CalendarEvent) => void
}) {
  const t = useText('calendar')
  const { zone } = useGrid()
  const standing = useQuery({
    queryKey: ['calendar-standing', event.id],
    queryFn: () => readEvent(event),
    staleTime: 0,
    gcTime: 0,
  })
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-lg border border-warn-ink/40 bg-warn-soft px-3.5 py-3">
      <p className="font-medium">{t('conflict.title')}</p>
      <p className="text-sm">{t('conflict.text')}</p>
      {standing.data ? (
        <>
          <StandingEvent event={standing.data} zone={zone} />
          <div className="flex flex-wrap gap-2">
            <Button size="small" onClick={() => onMine(standing.data.version)}>
              {t('conflict.mine')}
            </Button>
            <Button size="small" onClick={() => onTheirs(standing.data)}>
              {t('conflict.theirs')}
            </Button>
          </div>
        </>
      ) : (
        <Skeleton lines={2} />
      )}
    </div>
  )
}
