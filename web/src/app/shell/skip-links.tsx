import { useText } from '../../lib/texts.ts'

const targets = ['main', 'composer', 'last-answer', 'sidebar'] as const

/** The first stops of the Tab key: straight to the parts of the page. Those that are not there do nothing. */
export function SkipLinks() {
  const t = useText('app')
  return (
    <div className="contents">
      {targets.map((id) => (
        <a
          key={id}
          href={`#${id}`}
          onFocus={(event) => {
            if (!document.getElementById(id)) event.currentTarget.hidden = true
          }}
          onClick={(event) => {
            event.preventDefault()
            document.getElementById(id)?.focus()
          }}
          className="fixed start-3 top-3 z-60 -translate-y-24 rounded-md bg-accent px-3 py-2 font-medium text-on-accent focus:translate-y-0"
        >
          {t(`skip.${id}`)}
        </a>
      ))}
    </div>
  )
}
