import { Copy, MessageCircleQuestionMark, TextQuote } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useAction } from '../../../lib/actions.ts'
import { copyText } from '../../../lib/copy.ts'
import { useTouch } from '../../../lib/media.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/chat'
import { useQuote } from './use-quote.ts'

interface Selected {
  readonly messageId: string
  readonly text: string
  /** Around the words, in the window. */
  readonly top: number
  readonly bottom: number
  readonly middle: number
}

/** What can be done with words that are selected in a message: quote them, ask about them, or copy them. */
export function QuoteBar({ within }: { within: RefObject<HTMLElement | null> }) {
  const t = useText('chat')
  const { quote, ask } = useQuote()
  const touch = useTouch()
  const [selected, dismiss] = useSelected(within)
  const bar = useRef<HTMLDivElement>(null)
  const use = (put: (messageId: string, text: string) => void) => () => {
    if (!selected) return
    // Before the caret goes into the box: without a range there, nothing could be typed.
    getSelection()?.removeAllRanges()
    dismiss()
    put(selected.messageId, selected.text)
  }
  const [quoteIt, askIt] = [use(quote), use(ask)]
  useAction('chat.quote', quoteIt, selected !== null)
  useAction('chat.ask-about', askIt, selected !== null)
  useLayoutEffect(() => {
    const box = bar.current
    if (!box || !selected) return
    const { width, height } = box.getBoundingClientRect()
    // On touch screens the system has its own bar above the words.
    const above = !touch && selected.top - height - 8 > 56
    box.style.top = `${above ? selected.top - height - 8 : Math.min(selected.bottom + 8, innerHeight - height - 8)}px`
    box.style.left = `${Math.max(8, Math.min(selected.middle - width / 2, innerWidth - width - 8))}px`
  }, [selected, touch])
  useEffect(() => {
    if (!selected) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      event.preventDefault()
      dismiss()
    }
    // Before whatever else Escape would do.
    addEventListener('keydown', onKey, true)
    return () => removeEventListener('keydown', onKey, true)
  }, [selected, dismiss])
  if (!selected) return null
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={t('selection.label')}
      className="anim-appear fixed z-40 flex gap-0.5 rounded-lg border border-line bg-raised p-1 shadow-mid"
      // A press must not take the selection away.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
    >
      <Button tone="quiet" size="small" icon={<TextQuote className="size-3.5" />} onClick={quoteIt}>
        {t('selection.quote')}
      </Button>
      <Button tone="quiet" size="small" icon={<MessageCircleQuestionMark className="size-3.5" />} onClick={askIt}>
        {t('selection.ask')}
      </Button>
      <Button
        tone="quiet"
        size="small"
        icon={<Copy className="size-3.5" />}
        onClick={() => {
          copyText(selected.text).then(
            () => toast(t('copied')),
            () => toast(t('copyRefused'), { tone: 'danger' }),
          )
          dismiss()
        }}
      >
        {t('selection.copy')}
      </Button>
    </div>
  )
}

/** The words that are selected in messages; null while there are none, or while they are still being chosen. */
function useSelected(within: RefObject<HTMLElement | null>): [Selected | null, () => void] {
  const [selected, setSelected] = useState<Selected | null>(null)
  useEffect(() => {
    let pressed = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = () => setSelected(pressed ? null : readSelected(within.current))
    const soon = () => {
      clearTimeout(timer)
      timer = setTimeout(read, 120)
    }
    const onDown = ({ pointerType }: PointerEvent) => {
      // The handles of a touch screen tell of no release.
      pressed = pointerType === 'mouse'
    }
    const onUp = () => {
      pressed = false
      soon()
    }
    const listening = new AbortController()
    const { signal } = listening
    document.addEventListener('selectionchange', soon, { signal })
    addEventListener('pointerdown', onDown, { signal, capture: true })
    addEventListener('pointerup', onUp, { signal, capture: true })
    // It stays with the words while the messages move.
    addEventListener('scroll', () => setSelected((now) => now && readSelected(within.current)), {
      signal,
      capture: true,
      passive: true,
    })
    return () => {
      clearTimeout(timer)
      listening.abort()
    }
  }, [within])
  const dismiss = useRef(() => setSelected(null))
  return [selected, dismiss.current]
}

function readSelected(within: HTMLElement | null): Selected | null {
  const selection = getSelection()
  if (!within || !selection || selection.isCollapsed || selection.rangeCount === 0) return null
  const messageOf = (node: Node | null) => {
    const element = node instanceof Element ? node : node?.parentElement
    return element && within.contains(element) ? element.closest<HTMLElement>('[data-message]') : null
  }
  if (!messageOf(selection.anchorNode) || !messageOf(selection.focusNode)) return null
  const range = selection.getRangeAt(0)
  // Words of several messages are said to be from the first of them.
  const messageId = messageOf(range.startContainer)?.dataset.message
  const text = selection.toString()
  if (messageId === undefined || text.trim() === '') return null
  const { top, bottom, left, right } = range.getBoundingClientRect()
  const view = within.getBoundingClientRect()
  if (bottom < view.top || top > view.bottom) return null
  return {
    messageId,
    text,
    top: Math.max(top, view.top),
    bottom: Math.min(bottom, view.bottom),
    middle: (left + right) / 2,
  }
}
