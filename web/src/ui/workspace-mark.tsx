import { useWorkspace } from '../lib/workspace.ts'
import { Mark } from './mark.tsx'

/** The logo of the workspace, in the one for the look on screen; else the mark of the product. */
export function WorkspaceMark({
  size = 24,
  longest = 5 * size,
  className = '',
}: {
  /** Its height in pixels. */
  size?: number
  /** How wide a logo may be. */
  longest?: number
  className?: string
}) {
  const { light, dark } = useWorkspace(({ logos }) => logos)
  if (!light && !dark) return <Mark size={size} className={className} />
  const look = `shrink-0 object-contain ${className}`
  const box = { height: size, width: 'auto', maxWidth: longest }
  const onDark = '[[data-theme=dark]_&]:block [[data-theme=contrast]_&]:block'
  const onLight = '[[data-theme=dark]_&]:hidden [[data-theme=contrast]_&]:hidden'
  return (
    <>
      <img src={light ?? dark ?? ''} alt="" draggable={false} style={box} className={`${look} ${onLight}`} />
      <img src={dark ?? light ?? ''} alt="" draggable={false} style={box} className={`hidden ${look} ${onDark}`} />
    </>
  )
}
