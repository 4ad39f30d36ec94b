import { ArrowDown } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { type OpenTimeline, useOpen } from '../open/store.ts'
import { useText } from 'virtual:words/channels'

/** Leads to the newest message, and says how many came while one was reading further up. */
export function EndButton({
  shown,
  following,
  open,
  onEnd,
}: {
  shown: boolean
  /** The view is at the end, and stays there. */
  following: boolean
  open: OpenTimeline
  onEnd: () => void
}) {
  const t = useText('channels')
  const last = useOpen(open, (state) => state.timeline?.messages.at(-1)?.seq ?? 0)
  const left = useRef(last)
  if (following) left.current = last
  const fresh = useOpen(open, (state) => state.timeline?.messages.filter(({ seq }) => seq > left.current).length ?? 0)
  if (!shown) return null
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-2 flex justify-center">
      {fresh > 0 ? (
        <Button
          tone="primary"
          size="small"
          icon={<ArrowDown className="size-3.5" />}
          className="pointer-events-auto rounded-full shadow-mid"
          onClick={onEnd}
        >
          {t('timeline.toEndNew', { count: fresh })}
        </Button>
      ) : (
        <IconButton
          label={t('timeline.toEnd')}
          icon={<ArrowDown />}
          size="small"
          tone="plain"
          tooltipSide="top"
          className="pointer-events-auto rounded-full shadow-mid"
          onClick={onEnd}
        />
      )}
    </div>
  )
}
