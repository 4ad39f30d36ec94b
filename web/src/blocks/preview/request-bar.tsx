import { copyText } from '../../lib/copy.ts'
import { formatSize } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toaster.tsx'
import { saveFile } from '../save-file.ts'
import { useText } from 'virtual:words/preview'
import type { PreviewRequest } from './messages.ts'

/** What a preview wants to do outside of its frame: a person says whether it is done. */
export function RequestBar({
  request,
  onFullScreen,
  onDone,
}: {
  request: PreviewRequest
  onFullScreen: () => void
  onDone: () => void
}) {
  const t = useText('preview')
  const words = {
    link: () => t('ask.link', { address: request.type === 'link' ? request.address : '' }),
    save: () =>
      request.type === 'save' ? t('ask.save', { name: request.name, size: formatSize(request.blob.size) }) : '',
    copy: () => t('ask.copy', { count: request.type === 'copy' ? request.text.length : 0 }),
    'full-screen': () => t('ask.fullScreen'),
  }
  const allow = () => {
    onDone()
    if (request.type === 'link') window.open(request.address, '_blank', 'noopener,noreferrer')
    else if (request.type === 'save') saveFile(request.name, request.blob, 'application/octet-stream')
    else if (request.type === 'full-screen') onFullScreen()
    else void copyText(request.text).then(() => toast(t('copied')))
  }
  return (
    <div
      role="group"
      aria-label={t('ask.name')}
      className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line bg-accent-soft px-3 py-1.5 text-sm"
    >
      <p role="status" dir="auto" className="min-w-40 flex-1 break-all">
        {words[request.type]()}
      </p>
      <Button size="small" onClick={onDone}>
        {t('ask.no')}
      </Button>
      <Button size="small" tone="primary" onClick={allow}>
        {t(`ask.yes.${request.type}`)}
      </Button>
    </div>
  )
}
