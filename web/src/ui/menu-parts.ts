import type { Menu as Radix } from 'radix-ui/internal'
import { createContext, use } from 'react'

/** The parts of the open menu; they come with its panel, so that a page without an open menu need not load them. */
export const MenuParts = createContext<typeof Radix | null>(null)

/** For what stands inside a menu. */
export function useMenuParts(): typeof Radix {
  const parts = use(MenuParts)
  if (!parts) throw new Error('Parts of a menu stand inside a Menu or a ContextMenu.')
  return parts
}

export const menuClasses =
  'anim-appear z-50 max-h-[min(var(--radix-popper-available-height),44rem)] min-w-48 max-w-80 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-mid outline-none'
