import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { CircleHelp } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { announce } from '../../lib/announce.ts'
import { links } from '../../lib/links.ts'
import { Button } from '../../ui/button.tsx'
import { WindowComing } from '../../ui/early-keys.tsx'
import { useText } from 'virtual:words/needs-you'
import { approvalsQuery } from './pending.ts'

const NeedsYouDialog = lazy(() =>
  import('./needs-you-dialog.tsx').then((module) => ({ default: module.NeedsYouDialog })),
)

/** Says on every page that something waits for a decision. The chat on screen shows its own where they stand. */
export function NeedsYouLine() {
  const t = useText('needs-you')
  const path = useRouterState({ select: (state) => state.location.pathname })
  const [open, setOpen] = useState(false)
  const pending = useQuery(approvalsQuery).data?.pending ?? []
  const elsewhere = pending.filter(({ chatId }) => chatId === null || links.chat(chatId) !== path).length
  const line = t('line', { count: elsewhere })
  useEffect(() => {
    if (elsewhere > 0) announce(line, 'assertive')
  }, [line, elsewhere])
  if (elsewhere === 0 && !open) return null
  return (
    <>
      {elsewhere > 0 && (
        <div className="flex min-h-8 items-center justify-center gap-2.5 bg-warn-soft px-4 py-1 text-sm text-warn-ink [&_svg]:size-4">
          <CircleHelp aria-hidden />
          <span>{line}</span>
          <Button size="small" onClick={() => setOpen(true)}>
            {t('review')}
          </Button>
        </div>
      )}
      {open && (
        <Suspense fallback={<WindowComing onClose={() => setOpen(false)} />}>
          <NeedsYouDialog pending={pending} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
