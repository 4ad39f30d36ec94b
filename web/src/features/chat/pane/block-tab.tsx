import { useEffect, useRef } from 'react'
import { wordsOf } from '../../../api/errors.ts'
import { DraftTab } from '../../../blocks/artifact/draft-tab.tsx'
import { artifactFrom, fencedBlocks } from '../../../blocks/artifact/from-block.ts'
import { makeOfBlock } from '../../../blocks/artifact/make-of-block.ts'
import { toast } from '../../../ui/toaster.tsx'
import type { Conversation } from '../open/conversation.ts'
import { useThread } from '../thread/context.ts'
import { useText } from 'virtual:words/artifact'

/** A fenced block of a message, by its number from 0. */
export interface OpenBlock {
  readonly messageId: string
  readonly at: number
}

/** A block of an answer as it grows; when it is whole it becomes an artifact, which takes its place. */
export function BlockTab({
  chatId,
  conversation: { live, messages },
  block,
}: {
  chatId: string
  conversation: Conversation
  block: OpenBlock
}) {
  const t = useText('artifact')
  const { openArtifact } = useThread()
  const isLive = live?.messageId === block.messageId
  const text = isLive ? live.text : (messages.find(({ id }) => id === block.messageId)?.content ?? '')
  const found = fencedBlocks(text)[block.at]
  const artifact = found ? artifactFrom(found.language, found.content) : null
  const isWhole = artifact !== null && (found?.closed === true || !isLive)
  const latest = useRef({ artifact, openArtifact, t })
  useEffect(() => {
    latest.current = { artifact, openArtifact, t }
  })
  useEffect(() => {
    const now = latest.current
    if (!isWhole || !now.artifact) return
    const untitled = now.t('untitled', { kind: now.t(`kind.${now.artifact.kind}`) })
    makeOfBlock(now.artifact, chatId, untitled).then(
      (id) => now.openArtifact(id),
      (error: unknown) => toast(wordsOf(error), { tone: 'danger' }),
    )
  }, [isWhole, chatId])
  if (!artifact) return null
  const { kind, language, content, title } = artifact
  return <DraftTab draft={{ kind, language, content, title: title ?? '' }} />
}
