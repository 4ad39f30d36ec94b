import { useMutation } from '@tanstack/react-query'
import { PanelRight } from 'lucide-react'
import { use } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { toast } from '../../ui/toaster.tsx'
import { useText } from 'virtual:words/artifact'
import { ArtifactContext } from './context.ts'
import type { MadeArtifact } from './from-block.ts'
import { makeOfBlock } from './make-of-block.ts'

/** Makes an artifact of a block of code, and shows it. */
export function OpenButton({ artifact }: { artifact: MadeArtifact }) {
  const t = useText('artifact')
  const place = use(ArtifactContext)
  const make = useMutation({
    mutationFn: (chatId: string) => makeOfBlock(artifact, chatId, t('untitled', { kind: t(`kind.${artifact.kind}`) })),
    onSuccess: (id) => place?.open(id),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  if (!place) return null
  return (
    <IconButton
      label={t('openAs')}
      icon={<PanelRight />}
      size="small"
      aria-busy={make.isPending || undefined}
      onClick={() => make.isPending || make.mutate(place.chatId)}
    />
  )
}

/** Shows a block beside the chat while it is written; it becomes an artifact when it is whole. */
export function WatchButton({ onWatch }: { onWatch: () => void }) {
  const t = useText('artifact')
  return <IconButton label={t('openAs')} icon={<PanelRight />} size="small" onClick={onWatch} />
}
