import type { ToolResult } from '@atrium/contract/generation'
import { AppWindow } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useText } from 'virtual:words/tool-calls'

const AppView = lazy(() => import('./app-view.tsx').then((module) => ({ default: module.AppView })))

export interface AppViewProps {
  readonly recordId: string
  readonly serverId: string | undefined
  /** Of its page, among the media of the result. */
  readonly index: number
  /** JSON: what the tool was called with. */
  readonly args: string
  readonly result: ToolResult
}

/** The page that a server brought along for a result. It is loaded when somebody wants to see it. */
export function AppOpener(props: AppViewProps) {
  const t = useText('tool-calls')
  const [open, setOpen] = useState(false)
  return (
    <div className="flex flex-col gap-1.5">
      <Button
        size="small"
        className="self-start"
        icon={<AppWindow className="size-3.5" />}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {t(open ? 'app.hide' : 'app.show')}
      </Button>
      {open && (
        <Suspense fallback={<Skeleton lines={6} />}>
          <AppView {...props} />
        </Suspense>
      )}
    </div>
  )
}
