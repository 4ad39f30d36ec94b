import type { Quote } from '@atrium/contract/chat'
import { TextQuote, X } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { DraftBox } from '../../../blocks/composer/draft.ts'
import { Button } from '../../../ui/button.tsx'
import { HoverCard } from '../../../ui/hover-card.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useHoverCard } from '../../../ui/use-hover-card.ts'
import { showMessage } from '../open/edit.ts'
import { useThread } from '../thread/context.ts'
import { useText } from 'virtual:words/chat'

/** What the next question quotes: whose words these are, all of them, and the way back to them. */
export function QuoteChips({ quotes, draft }: { quotes: readonly Quote[]; draft: DraftBox }) {
  const t = useText('chat')
  const list = useRef<HTMLUListElement>(null)
  const { focusComposer } = useThread()
  const remove = ({ id }: Quote, at: number) => {
    draft.removeQuote(id)
    // The chip goes with the focus that is on it.
    requestAnimationFrame(() => {
      const left = list.current?.querySelectorAll<HTMLElement>('[data-quote]')
      const next = left?.[Math.min(at, left.length - 1)]
      if (next) next.focus()
      else focusComposer()
    })
  }
  return (
    <ul
      ref={list}
      aria-label={t('quotes.label')}
      className="flex max-h-40 flex-wrap gap-2 overflow-y-auto px-3 pt-3 pb-0.5"
    >
      {quotes.map((quote, at) => (
        <Chip key={quote.id} quote={quote} onRemove={() => remove(quote, at)} />
      ))}
    </ul>
  )
}

function Chip({ quote, onRemove }: { quote: Quote; onRemove: () => void }) {
  const t = useText('chat')
  const { chat, attempt } = useThread()
  const [open, setOpen] = useState(false)
  const { anchor, target, card } = useHoverCard({ restMs: 300, focusMs: 500 })
  const from = quote.author === null ? t('quotes.own') : t('quotes.of', { name: quote.author })
  const start = quote.text.slice(0, 200).replace(/\s+/g, ' ')
  const show = () => {
    // On a phone it would cover the message.
    setOpen(false)
    attempt(async () => {
      if (!(await showMessage(chat, quote.messageId))) toast(t('thread.messageGone'))
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return
    event.preventDefault()
    onRemove()
  }
  return (
    <li className="flex max-w-full min-w-0 items-center gap-1 rounded-lg border border-line bg-sunken pe-1 tab:max-w-80">
      <Popover
        label={from}
        open={open}
        onOpenChange={setOpen}
        side="top"
        className="flex w-fit max-w-[min(27.5rem,calc(100vw-1rem))] flex-col gap-2 text-sm"
        trigger={
          <button
            type="button"
            data-quote
            onKeyDown={onKeyDown}
            {...target}
            className="hit flex min-w-0 flex-1 items-center gap-2 rounded-lg py-1 ps-2.5 text-start"
          >
            <TextQuote aria-hidden className="size-4 shrink-0 text-muted" />
            <span className="min-w-0">
              <span className="sr-only">{t('quotes.chip')} </span>
              <span dir="auto" className="block truncate text-sm">
                {start}
              </span>
              <span className="block truncate text-xs text-muted">
                <bdi>{from}</bdi>
              </span>
            </span>
          </button>
        }
      >
        <p className="text-xs text-muted">
          <bdi>{from}</bdi>
        </p>
        <blockquote
          dir="auto"
          className="max-h-60 overflow-y-auto border-s-2 border-line ps-2 whitespace-pre-wrap"
          tabIndex={0}
        >
          {quote.text}
        </blockquote>
        <Button size="small" className="self-start" onClick={show}>
          {t('quotes.show')}
        </Button>
      </Popover>
      {anchor && (
        <HoverCard anchor={anchor} {...card}>
          <p dir="auto" className="line-clamp-12 border-s-2 border-line ps-2 whitespace-pre-wrap">
            {quote.text}
          </p>
        </HoverCard>
      )}
      <IconButton
        label={t('quotes.remove', { text: start.slice(0, 60) })}
        icon={<X />}
        size="small"
        tooltipSide="top"
        onClick={onRemove}
      />
    </li>
  )
}
