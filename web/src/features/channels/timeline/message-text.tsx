import type { ChannelMention, ChannelMessage } from '@atrium/contract/channels'
import { type ReactNode, useMemo, useState } from 'react'
import { type DrawWords, WordsContext } from '../../../blocks/markdown/citations.tsx'
import { Markdown } from '../../../blocks/markdown/markdown.tsx'
import { PicturesContext } from '../../../blocks/markdown/picture.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { Button } from '../../../ui/button.tsx'
import { useText } from 'virtual:words/channels'
import { splitMentions } from './mentions.ts'

const longText = 2400

/** What a message says: Markdown, of which nothing is fetched, with the people whom it names marked. */
export function MessageText({
  message,
  meId,
  isWhole = false,
}: {
  message: ChannelMessage
  meId: string
  /** However long it is: it is still being written. */
  isWhole?: boolean
}) {
  const t = useText('channels')
  const { content, mentions } = message
  const [whole, setWhole] = useState(false)
  const isLong = content.length > longText && !isWhole
  const draw = useMemo(() => drawMentions(mentions, meId), [mentions, meId])
  return (
    <PicturesContext value="links">
      <WordsContext value={draw}>
        <div className={classNames(isLong && !whole && 'max-h-80 overflow-hidden mask-b-from-75%')}>
          <Markdown text={content} className="[&_p]:whitespace-pre-line" />
        </div>
        {isLong && (
          <Button
            tone="quiet"
            size="small"
            className="-ms-2 mt-1"
            aria-expanded={whole}
            onClick={() => setWhole(!whole)}
          >
            {whole ? t('row.showLess') : t('row.showMore')}
          </Button>
        )}
      </WordsContext>
    </PicturesContext>
  )
}

function drawMentions(mentions: readonly ChannelMention[], meId: string): DrawWords | null {
  if (mentions.length === 0) return null
  return (text): ReactNode =>
    splitMentions(text, mentions).map(({ words, mention }, index) =>
      mention === null ? (
        words
      ) : (
        <span
          key={index}
          className={classNames(
            'rounded-sm px-0.5 font-medium',
            mention.kind !== 'person' || mention.user.id === meId
              ? 'bg-warn-soft text-warn-ink'
              : 'bg-accent-soft text-accent-ink',
          )}
        >
          <bdi>{words}</bdi>
        </span>
      ),
    )
}
