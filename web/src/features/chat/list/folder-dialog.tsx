import type { Folder } from '@atrium/contract/chat'
import { lazy, Suspense } from 'react'
import { create } from 'zustand'
import { WindowComing } from '../../../ui/early-keys.tsx'

const NewFolderDialog = lazy(() => import('./folder-forms.tsx').then((module) => ({ default: module.NewFolderDialog })))

type Then = (folder: Folder) => unknown
const useAsked = create<{ then: Then | null; parentId: string | null }>(() => ({ then: null, parentId: null }))

/** Asks for the name of a new project, makes it (in another), then does `then` with it. Menus close before a dialog of theirs opens. */
export const askFolderName = (then: Then = () => undefined, parentId: string | null = null): void =>
  useAsked.setState({ then, parentId })

/** The dialog behind `askFolderName`; once on the page. */
export function FolderDialog() {
  const { then, parentId } = useAsked()
  if (!then) return null
  return (
    <Suspense fallback={<WindowComing onClose={() => useAsked.setState({ then: null })} />}>
      <NewFolderDialog parentId={parentId} onClose={() => useAsked.setState({ then: null })} onMade={then} />
    </Suspense>
  )
}
