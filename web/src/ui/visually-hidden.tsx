import type { ReactNode } from 'react'

/** Read aloud, not seen. */
export const VisuallyHidden = ({
  children,
  as: As = 'span',
}: {
  children: ReactNode
  as?: 'span' | 'div' | 'h1' | 'h2'
}) => <As className="sr-only">{children}</As>
