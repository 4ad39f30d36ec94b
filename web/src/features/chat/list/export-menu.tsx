import { chatRoutes } from '@atrium/contract/chat'
import { toRequest } from '@atrium/contract/request'
import { Download, Printer } from 'lucide-react'
import { useText } from 'virtual:words/chat-list'
import { wordsOf } from '../../../api/errors.ts'
import { saveFile, saveFrom } from '../../../blocks/save-file.ts'
import { writtenHere } from '../../../lib/format.ts'
import { toast } from '../../../ui/toaster.tsx'
import { readExportedPage } from './exported-page.ts'
import { printChat } from './print.ts'
import { MenuItem, MenuSeparator, MenuSub } from '../../../ui/menu.tsx'

/** Saves a chat as a file. */
export function exportChat(id: string, format: 'markdown' | 'html' | 'json'): void {
  if (format === 'html') return void saveExportedPage(id)
  saveFrom(toRequest(chatRoutes.export, { params: { sessionId: id }, query: { format, ...writtenHere() } }).path)
}

async function saveExportedPage(id: string): Promise<void> {
  try {
    const page = await readExportedPage(id)
    if (page) saveFile(page.name, page.html, 'text/html')
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
  }
}

/** “Export”: one chat as a file to read, or with everything, or on paper. */
export function ExportMenu({ id }: { id: string }) {
  const t = useText('chat-list')
  return (
    <MenuSub icon={<Download />} label={t('export.label')}>
      {(['markdown', 'html', 'json'] as const).map((format) => (
        <MenuItem key={format} onSelect={() => exportChat(id, format)}>
          {t(`export.${format}`)}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon={<Printer />} onSelect={() => void printChat(id)}>
        {t('export.print')}
      </MenuItem>
    </MenuSub>
  )
}
