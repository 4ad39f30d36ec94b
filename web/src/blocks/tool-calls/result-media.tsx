import type { ToolResultMedia } from '@atrium/contract/generation'
import { toRequest } from '@atrium/contract/request'
import { toolsRoutes } from '@atrium/contract/tools'
import { Download } from 'lucide-react'
import { formatSize } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { useText } from 'virtual:words/tool-calls'
import { saveFrom } from '../save-file.ts'
import { showHidden } from './invisible.ts'

/** Pictures, sounds and files of a result, which this server keeps: none of them comes from elsewhere. */
export function ResultMedia({ recordId, media }: { recordId: string; media: readonly ToolResultMedia[] }) {
  return (
    <ul className="flex flex-wrap gap-2.5">
      {media.map((each) => (
        <li key={each.index} className="max-w-full">
          <Medium recordId={recordId} medium={each} />
        </li>
      ))}
    </ul>
  )
}

function Medium({ recordId, medium }: { recordId: string; medium: ToolResultMedia }) {
  const t = useText('tool-calls')
  const { index, mediaType, sizeBytes } = medium
  const name = showHidden(medium.name)
  const { path } = toRequest(toolsRoutes.callMedia, { params: { recordId, index } })
  if (/^image\/(png|jpeg|gif|webp|avif)$/.test(mediaType)) {
    return <img src={path} alt={name} loading="lazy" className="max-h-72 max-w-full rounded-md border border-line" />
  }
  if (mediaType.startsWith('audio/')) {
    // What a tool says in sound has no captions; its words are in the result.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    return <audio controls preload="none" src={path} aria-label={name} className="max-w-full" />
  }
  return (
    <Button
      size="small"
      icon={<Download className="size-3.5" />}
      aria-label={t('saveNamed', { name })}
      onClick={() => saveFrom(path, medium.name)}
    >
      <bdi className="max-w-48 truncate">{name}</bdi>
      <span className="text-muted">{formatSize(sizeBytes)}</span>
    </Button>
  )
}
