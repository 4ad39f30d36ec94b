import { chatRoutes } from '@atrium/contract/chat'
import { toRequest } from '@atrium/contract/request'
import { Download } from 'lucide-react'
import { useText } from 'virtual:words/chat-list'
import { saveFrom } from '../../../blocks/save-file.ts'
import { MenuItem, MenuSub } from '../../../ui/menu.tsx'

/** Saves a chat as a file. */
export const exportChat = (id: string, format: 'markdown' | 'json'): void =>
  saveFrom(toRequest(chatRoutes.export, { params: { sessionId: id }, query: { format } }).path)

/** “Export”: one chat as a file to read, or with everything. */
export function ExportMenu({ id }: { id: string }) {
  const t = useText('chat-list')
  return (
    <MenuSub icon={<Download />} label={t('export.label')}>
      {(['markdown', 'json'] as const).map((format) => (
        <MenuItem key={format} onSelect={() => exportChat(id, format)}>
          {t(`export.${format}`)}
        </MenuItem>
      ))}
    </MenuSub>
  )
}
