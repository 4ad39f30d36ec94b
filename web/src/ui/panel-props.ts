import type { ReactNode } from 'react'

/** What every panel that is tied to something takes, besides what it is tied to and its name. */
export interface PanelProps {
  align: 'start' | 'center' | 'end'
  side?: 'top' | 'bottom' | 'left' | 'right'
  onClose: () => void
  className?: string
  children: ReactNode
}
