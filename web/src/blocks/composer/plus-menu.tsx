import { Camera, FileSearch, Globe, Paperclip, Plus, Slash } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { useAction } from '../../lib/actions.ts'
import { useTouch } from '../../lib/media.ts'
import { WindowComing } from '../../ui/early-keys.tsx'
import { FilePicker } from '../../ui/file-picker.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { useText } from 'virtual:words/blocks'
import type { DraftBox } from './draft.ts'
import { acceptedTypes } from './draft-rules.ts'

const PageDialog = lazy(() => import('./paste/page-dialog.tsx').then((module) => ({ default: module.PageDialog })))

/** Everything that can go with a question, and the ways to the lists that signs open. */
export function PlusMenu({
  draft,
  signs,
  onSign,
}: {
  draft: DraftBox
  signs: readonly string[]
  /** Opens the list of a sign. */
  onSign: (sign: string) => void
}) {
  const t = useText('blocks')
  const touch = useTouch()
  const files = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const [asking, setAsking] = useState(false)
  useAction('chat.attach', () => files.current?.click())
  return (
    <>
      <FilePicker picker={files} accept={acceptedTypes} onFiles={(chosen) => draft.attach(chosen)} />
      <FilePicker picker={camera} accept="image/*" camera onFiles={(chosen) => draft.attach(chosen)} />
      <Menu
        align="start"
        side="top"
        trigger={<IconButton label={t('composer.add')} icon={<Plus />} tooltipSide="top" />}
      >
        <MenuItem icon={<Paperclip />} onSelect={() => files.current?.click()}>
          {t('composer.attach')}
        </MenuItem>
        {touch && (
          <MenuItem icon={<Camera />} onSelect={() => camera.current?.click()}>
            {t('composer.photo')}
          </MenuItem>
        )}
        {signs.includes('#') && (
          <MenuItem icon={<FileSearch />} keys="#" onSelect={() => onSign('#')}>
            {t('composer.fromDocuments')}
          </MenuItem>
        )}
        <MenuItem icon={<Globe />} onSelect={() => setAsking(true)}>
          {t('composer.fromPage')}
        </MenuItem>
        {signs.includes('/') && (
          <>
            <MenuSeparator />
            <MenuItem icon={<Slash />} keys="/" onSelect={() => onSign('/')}>
              {t('composer.actions')}
            </MenuItem>
          </>
        )}
      </Menu>
      {asking && (
        <Suspense fallback={<WindowComing onClose={() => setAsking(false)} />}>
          <PageDialog draft={draft} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
