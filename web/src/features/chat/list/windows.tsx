import { lazy, Suspense, useEffect, useId } from 'react'
import { create } from 'zustand'
import { WindowComing } from '../../../ui/early-keys.tsx'
import { AskedShareWindow } from '../shared/share-window.tsx'
import { FolderDialog } from './folder-dialog.tsx'

const TagsDialog = lazy(() => import('../tags/tags-dialog.tsx').then((module) => ({ default: module.TagsDialog })))
const MoveDialog = lazy(() => import('./move-dialog.tsx').then((module) => ({ default: module.MoveDialog })))

interface MovedChat {
  readonly chatId: string
  /** The project that it is in. */
  readonly current: string | null
}

const useAsked = create<{ moved: MovedChat | null; tagged: readonly string[] | null }>(() => ({
  moved: null,
  tagged: null,
}))
const usePlaces = create<{ ids: readonly string[] }>(() => ({ ids: [] }))

/** Opens the window in which a chat is put into a project. */
export const askToMove = (moved: MovedChat): void => useAsked.setState({ moved })

/** Opens the window in which chats are given tags. */
export const askForTags = (chatIds: readonly string[]): void => useAsked.setState({ tagged: chatIds })

/** Whether what is asked for opens on this page. */
export const hasChatWindows = (): boolean => usePlaces.getState().ids.length > 0

/** The windows that lists, menus and actions ask for. They stand in the list and in the pages, as either may be away: the first shows them. */
export function ChatWindows() {
  const id = useId()
  const isFirst = usePlaces(({ ids }) => ids[0] === id)
  useEffect(() => {
    usePlaces.setState(({ ids }) => ({ ids: [...ids, id] }))
    return () => usePlaces.setState(({ ids }) => ({ ids: ids.filter((other) => other !== id) }))
  }, [id])
  return (
    isFirst && (
      <>
        <FolderDialog />
        <MoveWindow />
        <TagsWindow />
        <AskedShareWindow />
      </>
    )
  )
}

function MoveWindow() {
  const { moved } = useAsked()
  const close = () => useAsked.setState({ moved: null })
  if (!moved) return null
  return (
    <Suspense fallback={<WindowComing onClose={close} />}>
      <MoveDialog {...moved} onClose={close} />
    </Suspense>
  )
}

function TagsWindow() {
  const { tagged } = useAsked()
  const close = () => useAsked.setState({ tagged: null })
  if (!tagged) return null
  return (
    <Suspense fallback={<WindowComing onClose={close} />}>
      <TagsDialog ids={tagged} onClose={close} />
    </Suspense>
  )
}
