import {
  type ComponentProps,
  type KeyboardEvent,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useId,
  useRef,
  useState,
} from 'react'
import { useTouch } from '../../../lib/media.ts'
import { translate } from '../../../lib/texts.ts'
import { typeWithCaret } from '../insert-at-caret.ts'
import type { TriggerListHandle } from './trigger-list.tsx'
import { findTrigger, type FoundTrigger, withoutTrigger } from './trigger-rules.ts'
import type { Trigger, TypedText } from './types.ts'

const loadList = () => import('./trigger-list.tsx')
const TriggerList = lazy(() => loadList().then((module) => ({ default: module.TriggerList })))

interface OpenTrigger {
  /** The list, where one is open, or the window that came of a choice. */
  readonly list: ReactNode
  /** For the text area. */
  readonly field: Pick<
    ComponentProps<'textarea'>,
    | 'aria-controls'
    | 'aria-activedescendant'
    | 'aria-haspopup'
    | 'onSelect'
    | 'onCompositionStart'
    | 'onCompositionEnd'
    | 'onBlur'
  >
  /** Looks whether a list is asked for, as the text and the caret are now. */
  look(area: HTMLTextAreaElement): void
  /** Types a sign where the caret is, which opens its list. */
  begin(sign: string): void
  /** True: the key was for the list. */
  onKeyDown(event: KeyboardEvent): boolean
}

/**
 * The lists that signs open in a text area. Nothing is looked for while an input method composes, but where one writes by
 * touch: those keyboards compose every word.
 */
export function useTrigger(
  area: RefObject<HTMLTextAreaElement | null>,
  draft: TypedText,
  triggers: readonly Trigger[],
): OpenTrigger {
  const listId = useId()
  const handle = useRef<TriggerListHandle>(null)
  const [found, setFound] = useState<FoundTrigger | null>(null)
  const [active, setActive] = useState<string | null>(null)
  /** Where Escape closed a list: what is typed on at that sign opens it no more. */
  const dismissed = useRef<number | null>(null)
  const composing = useRef(false)
  const touch = useTouch()
  const close = useCallback(() => setFound(null), [])
  const [opened, setOpened] = useState<ReactNode>(null)
  const trigger = found && triggers.find(({ sign }) => sign === found.sign)

  function look({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) {
    if (composing.current && !touch) return
    const signs = triggers.map(({ sign }) => sign)
    const next = selectionStart === selectionEnd ? findTrigger(value, selectionStart, signs) : null
    if (next?.from !== dismissed.current) dismissed.current = null
    setFound((now) => (dismissed.current !== null ? null : isSame(now, next) ? now : next))
  }

  return {
    look,
    begin(sign) {
      const box = area.current
      if (!box) return
      const { content } = draft.store.getState()
      const before = content.slice(0, box.selectionStart)
      const typed = `${before}${before === '' || /\s$/.test(before) ? '' : ' '}${sign}`
      box.focus()
      typeWithCaret(box, draft, typed + content.slice(box.selectionEnd), typed.length)
      look(box)
    },
    field: {
      'aria-controls': active ? listId : undefined,
      'aria-activedescendant': active ?? undefined,
      'aria-haspopup': active ? 'listbox' : undefined,
      onSelect: ({ currentTarget }) => look(currentTarget),
      onCompositionStart() {
        composing.current = true
        if (!touch) close()
      },
      onCompositionEnd({ currentTarget }) {
        composing.current = false
        look(currentTarget)
      },
      onBlur: close,
    },
    onKeyDown(event) {
      if (!found || !active || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        return handle.current?.move(event.key === 'ArrowDown' ? 1 : -1) ?? false
      }
      if (event.key === 'Enter' || event.key === 'Tab') return handle.current?.take() ?? false
      if (event.key !== 'Escape') return false
      dismissed.current = found.from
      close()
      return true
    },
    list: !(found && trigger) ? (
      opened
    ) : (
      <Suspense>
        <trigger.Source
          key={trigger.sign}
          query={found.query}
          show={(entries) => (
            <TriggerList
              handle={handle}
              entries={entries}
              query={found.query}
              label={translate(trigger.label)}
              listId={listId}
              area={area}
              onActive={setActive}
              onTake={(entry) => {
                const { text, caret } = withoutTrigger(draft.store.getState().content, found)
                const { inserts = '' } = entry
                // What stands there now is no search any more.
                if (inserts !== '') dismissed.current = found.from
                close()
                const box = area.current
                box?.focus()
                typeWithCaret(box, draft, text.slice(0, caret) + inserts + text.slice(caret), caret + inserts.length)
                entry.choose((window) =>
                  setOpened(
                    window(() => {
                      setOpened(null)
                      box?.focus()
                    }),
                  ),
                )
              }}
            />
          )}
        />
      </Suspense>
    ),
  }
}

/** Fetches what a list is made of; for a box that somebody writes in. */
export function prepareTriggers(): void {
  // Offline or updated meanwhile: a list that needs it will say so.
  loadList().catch(() => undefined)
}

const isSame = (a: FoundTrigger | null, b: FoundTrigger | null): boolean =>
  a?.sign === b?.sign && a?.from === b?.from && a?.query === b?.query
