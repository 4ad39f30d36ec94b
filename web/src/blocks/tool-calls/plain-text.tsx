import { Fragment } from 'react'
import { useText } from 'virtual:words/tool-calls'
import { revealHidden } from './invisible.ts'

/** A text as it is: nothing of it is drawn, followed or loaded, and what cannot be seen is named. */
export function PlainText({ text }: { text: string }) {
  const t = useText('tool-calls')
  return revealHidden(text).map((piece, index) =>
    piece.hidden ? (
      // Pieces have no id, and a text is shown anew as a whole.
      // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a piece is known by
      <mark key={index} title={t('hidden')} className="rounded-sm bg-warn-soft px-0.5 font-mono text-warn-ink">
        <bdi>{piece.text}</bdi>
      </mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a piece is known by
      <Fragment key={index}>{piece.text}</Fragment>
    ),
  )
}
