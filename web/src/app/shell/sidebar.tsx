import { type ReactNode, useEffect, useState } from 'react'
import { savePreferences } from '../../api/account.ts'
import { wordsOf } from '../../api/errors.ts'
import { useText } from '../../lib/texts.ts'
import { ResizeHandle } from '../../ui/resize-handle.tsx'
import { toast } from '../../ui/toaster.tsx'

/** The list of the area, 220 to 420 px wide. */
export function Sidebar({ width, label, children }: { width: number; label: string; children: ReactNode }) {
  const t = useText('app')
  const [shown, setShown] = useState(width)
  useEffect(() => setShown(width), [width])
  const save = (layout: { sidebarWidth?: number; sidebarOpen?: boolean }) =>
    void savePreferences({ layout }).catch((error: unknown) => toast(wordsOf(error), { tone: 'danger' }))
  return (
    <aside
      id="sidebar"
      tabIndex={-1}
      aria-label={label}
      className="relative flex shrink-0 flex-col outline-none"
      style={{ width: shown }}
    >
      <div className="flex min-h-0 flex-1 flex-col overflow-hidden">{children}</div>
      <ResizeHandle
        label={t('shell.resizeSidebar')}
        panel="start"
        value={shown}
        min={220}
        max={420}
        onChange={setShown}
        onCommit={(sidebarWidth) => save({ sidebarWidth })}
        onCollapse={() => save({ sidebarOpen: false })}
      />
    </aside>
  )
}
