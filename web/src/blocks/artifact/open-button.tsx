import { useMutation } from '@tanstack/react-query'
import { PanelRight } from 'lucide-react'
import { use } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { toast } from '../../ui/toaster.tsx'
import { useText } from 'virtual:words/artifact'
import { createArtifact } from './changes.ts'
import { ArtifactContext } from './context.ts'
import type { MadeArtifact } from './from-block.ts'

/** Blocks that became artifacts since the page was loaded, so that another click shows the same one. */
const made = new Map<string, string>()

/** Makes an artifact of a block of code, and shows it. */
export function OpenButton({ artifact }: { artifact: MadeArtifact }) {
  const t = useText('artifact')
  const place = use(ArtifactContext)
  const make = useMutation({
    async mutationFn(chatId: string) {
      const key = `${chatId} ${artifact.content}`
      const known = made.get(key)
      if (known !== undefined) return known
      const title = artifact.title ?? t('untitled', { kind: t(`kind.${artifact.kind}`) })
      const { id } = await createArtifact({ ...artifact, title, chatId, byModel: true })
      made.set(key, id)
      return id
    },
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
