import { lazy, Suspense } from 'react'
import { create } from 'zustand'
import { refreshLists } from '../list/cache.ts'
import { WindowComing } from '../../../ui/early-keys.tsx'

const ShareDialog = lazy(() =>
  import('../../../blocks/share/share-dialog.tsx').then((module) => ({ default: module.ShareDialog })),
)

export interface Shareable {
  readonly type: 'chat' | 'folder'
  readonly id: string
  readonly name: string
}

const LinkSection = lazy(() => import('../links/link-section.tsx').then((module) => ({ default: module.LinkSection })))

const useAsked = create<{ thing: Shareable | null }>(() => ({ thing: null }))

/** Opens the window in which a chat or a folder is shared. Menus close before a window of theirs opens. */
export const askToShare = (thing: Shareable): void => useAsked.setState({ thing })

/** The window behind `askToShare`; once in the list. */
export function AskedShareWindow() {
  const thing = useAsked((state) => state.thing)
  return thing && <ShareWindow thing={thing} onClose={() => useAsked.setState({ thing: null })} />
}

/** Who a chat or a folder is shared with. */
export function ShareWindow({ thing, onClose }: { thing: Shareable; onClose: () => void }) {
  return (
    <Suspense fallback={<WindowComing onClose={onClose} />}>
      <ShareDialog
        resourceType={thing.type}
        resourceId={thing.id}
        name={thing.name}
        onClose={onClose}
        onChanged={refreshLists}
      >
        {thing.type === 'chat' && (
          <Suspense>
            <LinkSection chatId={thing.id} onChanged={refreshLists} />
          </Suspense>
        )}
      </ShareDialog>
    </Suspense>
  )
}
