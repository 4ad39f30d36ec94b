import { useState } from 'react'

/** Whether something is open: what its owner says, or by itself where nobody does; and a way to change it, told to both. */
export function useOpen(
  openFromOutside: boolean | undefined,
  onOpenChange: ((open: boolean) => void) | undefined,
): [open: boolean, set: (open: boolean) => void] {
  const [openInside, setOpenInside] = useState(false)
  return [
    openFromOutside ?? openInside,
    (next) => {
      setOpenInside(next)
      onOpenChange?.(next)
    },
  ]
}
