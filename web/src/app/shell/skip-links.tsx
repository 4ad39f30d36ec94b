import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useText } from '../../lib/texts.ts'

const targets = ['main', 'composer', 'last-answer', 'sidebar'] as const

/** The first stops of the Tab key: straight to those parts of the page that are there. */
export function SkipLinks() {
  const t = useText('app')
  const [present, setPresent] = useState<readonly string[]>(['main'])
  useEffect(() => {
    // Looked up when Tab is pressed, before the focus moves: pages change without telling.
    function onKeyDown(event: KeyboardEvent) {
      if (event.key === 'Tab') flushSync(() => setPresent(targets.filter((id) => document.getElementById(id))))
    }
    addEventListener('keydown', onKeyDown, true)
    return () => removeEventListener('keydown', onKeyDown, true)
  }, [])
  return (
    <nav aria-label={t('skip.name')} className="contents">
      {present.map((id) => (
        <a
          key={id}
          href={`#${id}`}
          onClick={(event) => {
            event.preventDefault()
            document.getElementById(id)?.focus()
          }}
          className="fixed start-3 top-3 z-60 -translate-y-24 rounded-md bg-accent px-3 py-2 font-medium text-on-accent focus:translate-y-0"
        >
          {t(`skip.${id}`)}
        </a>
      ))}
    </nav>
  )
}
