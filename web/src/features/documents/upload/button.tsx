import { CircleHelp, FileUp, FolderUp, Globe, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useAction } from '../../../lib/actions.ts'
import { formatSize } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import { useText } from 'virtual:words/documents'
import type { OnDropped } from './drop.tsx'
import { filesOfFolder } from './entries.ts'
import { largestFile } from './rules.ts'

/** Files, a whole folder, or a web page. */
export function AddButton({ label, onFiles, onPage }: { label: string; onFiles: OnDropped; onPage: () => void }) {
  const t = useText('documents')
  const [asking, setAsking] = useState(false)
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  // Here they go where the page is.
  useAction('documents.upload', () => files.current?.click())
  return (
    <>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={t('upload.files')}
        onChange={(event) => {
          onFiles(
            [...(event.target.files ?? [])].map((file) => ({ file, folder: '' })),
            {},
          )
          event.target.value = ''
        }}
      />
      <input
        ref={folder}
        type="file"
        hidden
        aria-label={t('upload.folder')}
        {...{ webkitdirectory: '' }}
        onChange={(event) => {
          if (event.target.files) {
            const { files: found, leftOut } = filesOfFolder(event.target.files)
            onFiles(found, { leftOut })
          }
          event.target.value = ''
        }}
      />
      <Menu
        trigger={
          <Button tone="primary" icon={<Upload aria-hidden className="size-4" />}>
            {label}
          </Button>
        }
      >
        <MenuItem icon={<FileUp />} onSelect={() => files.current?.click()}>
          {t('upload.files')}
        </MenuItem>
        <MenuItem icon={<FolderUp />} onSelect={() => folder.current?.click()}>
          {t('upload.folder')}
        </MenuItem>
        <MenuItem icon={<Globe />} onSelect={onPage}>
          {t('fetch.title')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<CircleHelp />} onSelect={() => setAsking(true)}>
          {t('upload.which')}
        </MenuItem>
      </Menu>
      <Dialog open={asking} onOpenChange={setAsking} width="narrow" title={t('upload.which')}>
        <p>{t('upload.kinds')}</p>
        <p className="mt-2 text-muted">{t('drop.limit', { size: formatSize(largestFile) })}</p>
      </Dialog>
    </>
  )
}
