import type { ReactNode } from 'react'
import { GroundPlan } from './ground-plan.tsx'
import { useWorkspace } from '../lib/workspace.ts'
import { WorkspaceMark } from './workspace-mark.tsx'

/** A page before the shell: sign-in, first run. The court's ground plan lies behind it. */
export function CenteredPage({
  title,
  lead,
  wide,
  children,
}: {
  title: string
  lead?: ReactNode
  wide?: boolean
  children?: ReactNode
}) {
  const name = useWorkspace((workspace) => workspace.name)
  return (
    <div className="relative h-dvh overflow-y-auto">
      <GroundPlan className="fixed" />
      <main id="main" className="relative grid min-h-full content-center justify-items-center px-4 py-10">
        <div className={wide ? 'w-full max-w-2xl' : 'w-full max-w-sm'}>
          <p className="mb-7 flex items-center gap-2.5 text-lg font-semibold tracking-tight">
            <WorkspaceMark size={26} />
            <bdi className="min-w-0 truncate">{name}</bdi>
          </p>
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
          {lead && <div className="mt-2 text-md text-muted">{lead}</div>}
          <div className="mt-6">{children}</div>
        </div>
      </main>
    </div>
  )
}
