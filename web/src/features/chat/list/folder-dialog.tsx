import type { Folder } from '@atrium/contract/chat'
import { lazy, Suspense } from 'react'
import { create } from 'zustand'

const NewFolderDialog = lazy(() => import('./folder-forms.tsx').then((module) => ({ default: module.NewFolderDialog })))

type Then = (folder: Folder) => unknown
const useAsked = create<{ then: Then | null }>(() => ({ then: null }))

/** Asks for the name of a new folder, makes it, then does `then` with it. Menus close before a dialog of theirs opens. */
export const askFolderName = (then: Then = () => undefined): void => useAsked.setState({ then })

/** The dialog behind `askFolderName`; once on the page. */
export function FolderDialog() {
  const then = useAsked((state) => state.then)
  if (!then) return null
  return (
    <Suspense>
      <NewFolderDialog onClose={() => useAsked.setState({ then: null })} onMade={then} />
    </Suspense>
  )
}
