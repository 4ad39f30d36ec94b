import { useEffect, useState } from 'react'
import { savePreferences } from '../../api/account.ts'
import { wordsOf } from '../../api/errors.ts'
import { useMedia } from '../../lib/media.ts'
import { useText } from '../../lib/texts.ts'
import { ResizeHandle } from '../../ui/resize-handle.tsx'
import { setPaneSlot, usePaneWanted } from '../../ui/right-pane.tsx'
import { toast } from '../../ui/toaster.tsx'

/** Where a page's right pane stands while there is room for it. */
export function PaneSlot({ width }: { width: number }) {
  const t = useText('app')
  const wanted = usePaneWanted()
  const roomy = useMedia('(min-width: 1100px)')
  const [shown, setShown] = useState(width)
  useEffect(() => setShown(width), [width])
  if (!roomy) return null
  const max = Math.max(320, Math.round(innerWidth * 0.65))
  return (
    <aside
      aria-label={t('shell.pane')}
      hidden={!wanted}
      className="relative my-2 me-2 shrink-0 rounded-xl border border-line bg-surface"
      style={{ width: Math.min(shown, max) }}
    >
      <ResizeHandle
        label={t('shell.resizePane')}
        panel="end"
        value={Math.min(shown, max)}
        min={320}
        max={max}
        onChange={setShown}
        onCommit={(paneWidth) =>
          void savePreferences({ layout: { paneWidth: Math.min(1600, paneWidth) } }).catch((error: unknown) =>
            toast(wordsOf(error), { tone: 'danger' }),
          )
        }
      />
      <div ref={setPaneSlot} className="flex h-full min-h-0 flex-col overflow-hidden rounded-xl" />
    </aside>
  )
}
