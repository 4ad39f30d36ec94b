import type { Selection } from '@atrium/contract/common'
import { lazy, Suspense } from 'react'
import { usePhone } from '../../lib/media.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { WindowComing } from '../../ui/early-keys.tsx'
import { loadLayers } from '../../ui/idle-parts.ts'
import { Sheet } from '../../ui/sheet.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useText } from 'virtual:words/blocks'

const loadPanel = () => import('./panel.tsx')
const Panel = lazy(() => loadPanel().then(({ Panel }) => ({ default: Panel })))

/** Fetches what the picker is made of. For whoever points at its button: the click then finds it there. */
export function prepareModelPicker(): void {
  // Offline or updated meanwhile: the click that needs it will say so.
  Promise.all([loadPanel(), loadLayers()]).catch(() => undefined)
}

export interface ModelPickerProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** What is chosen now; stays in the list, greyed and with the reason, when it is not available. */
  value: Selection | null
  onPick: (selection: Selection) => void
  /** Leaves out agents. */
  withoutAgents?: boolean | undefined
}

/** Where one model of many is chosen: a panel on wide screens, a sheet on phones. */
export function ModelPicker({ open, onOpenChange, value, onPick, withoutAgents = false }: ModelPickerProps) {
  const t = useText('blocks')
  const phone = usePhone()
  if (!open) return null
  const close = () => onOpenChange(false)
  const panel = (
    <Suspense
      fallback={
        <>
          <WindowComing onClose={close} />
          <Skeleton lines={6} className="p-5" />
        </>
      }
    >
      <Panel
        value={value}
        withoutAgents={withoutAgents}
        onPick={(selection) => {
          onOpenChange(false)
          onPick(selection)
        }}
        onClose={close}
      />
    </Suspense>
  )
  if (phone) {
    return (
      <Sheet open onOpenChange={onOpenChange} title={t('models.title')} className="h-[96dvh] max-h-none!">
        {panel}
      </Sheet>
    )
  }
  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title={t('models.title')}
      hideTitle
      className="h-[min(84dvh,46rem)] max-w-172!"
    >
      {panel}
    </Dialog>
  )
}
