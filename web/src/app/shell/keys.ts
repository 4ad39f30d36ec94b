/** Key presses become actions, by the usual keys or those that the person has chosen. */
import type { Preferences } from '@atrium/contract/settings'
import { useNavigate } from '@tanstack/react-router'
import { useLayoutEffect } from 'react'
import { usePreferences } from '../../api/account.ts'
import { type Navigate, listActions, runAction } from '../../lib/actions.ts'
import { hasModifier, matchesKeys, takesText } from '../../lib/shortcuts.ts'

/** Gives the keys in force for an action, or undefined where it has none. */
export function useKeysOf(): (actionId: string) => string | undefined {
  const { shortcuts, shortcutsEnabled } = usePreferences()
  return (id) => {
    if (!shortcutsEnabled) return undefined
    return (shortcuts[id] ?? listActions().find((action) => action.id === id)?.keys) || undefined
  }
}

/** Opens addresses for actions. */
export function useGo(): Navigate {
  const navigate = useNavigate()
  return (to, state) => void navigate({ to, state })
}

/** Whether a dialog, sheet, menu or popover lies over the page; keys are then its own. */
export const hasOpenLayer = (): boolean =>
  document.querySelector(':is([role="dialog"], [role="menu"])[data-state="open"]') !== null

/** Listens for the keys of all actions while the shell is there. */
export function useKeys({ shortcuts, shortcutsEnabled }: Preferences): void {
  const go = useGo()
  useLayoutEffect(() => {
    if (!shortcutsEnabled) return
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing) return
      const inDialog = hasOpenLayer()
      const inText = takesText(event.target)
      for (const action of listActions()) {
        const keys = shortcuts[action.id] ?? action.keys
        if (!keys || (inText && !hasModifier(keys)) || (inDialog && !action.overDialogs)) continue
        if (!matchesKeys(event, keys)) continue
        if (runAction(action.id, go)) {
          event.preventDefault()
          return
        }
      }
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  })
}
