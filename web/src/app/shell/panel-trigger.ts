import type { MouseEvent } from 'react'
import type { RailEntry } from '../../lib/feature.ts'
import { setView, useView } from './view.ts'

/** Gives what has the link of an entry open its panel. On its own page, and with a modifier key, the link stays one. */
export function usePanelTrigger(path: string) {
  const { panel } = useView()
  return ({ panel: hasPanel, owns, to }: RailEntry) =>
    hasPanel && !owns(path)
      ? {
          'data-panel': to,
          'aria-haspopup': 'dialog' as const,
          'aria-expanded': panel === to,
          onClick(event: MouseEvent) {
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
            event.preventDefault()
            setView({ panel: panel === to ? null : to })
          },
        }
      : undefined
}
