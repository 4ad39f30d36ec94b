import { chatRoutes } from '@atrium/contract/chat'
import { toRequest } from '@atrium/contract/request'
import { Download, Printer } from 'lucide-react'
import { useText } from 'virtual:words/chat-list'
import { saveFrom } from '../../../blocks/save-file.ts'
import { writtenHere } from '../../../lib/format.ts'
import { printChat } from './print.ts'
import { MenuItem, MenuSeparator, MenuSub } from '../../../ui/menu.tsx'

/** Saves a chat as a file. */
export const exportChat = (id: string, format: 'markdown' | 'html' | 'json'): void =>
  saveFrom(toRequest(chatRoutes.export, { params: { sessionId: id }, query: { format, ...writtenHere() } }).path)

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
