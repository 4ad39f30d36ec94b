import { Preview, type PreviewProps } from '../preview/preview.tsx'
import { DrawnView } from './drawn-view.tsx'
import { framedKinds } from './kinds.ts'

/** An artifact as it is meant to be seen. */
export function ShownView(props: PreviewProps) {
  return framedKinds.includes(props.kind) && props.content.trim() !== '' ? (
    <Preview {...props} />
  ) : (
    <DrawnView {...props} />
  )
}
