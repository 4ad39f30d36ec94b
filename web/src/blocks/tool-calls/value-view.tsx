import { useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { useText } from 'virtual:words/tool-calls'
import { isRecord } from './parse.ts'
import { PlainText } from './plain-text.tsx'

/** As many entries of one list, and as many characters of one text, as are drawn before somebody asks for more. */
const atATime = 50
const mostCharacters = 20_000
/** Deeper than this, values are shown as JSON. */
const mostLevels = 3

/** A value for people: names beside what they hold, lists one below the other, texts as they are. */
export function ValueView({ value, level = 0 }: { value: unknown; level?: number }) {
  const t = useText('tool-calls')
  if (typeof value === 'string') return value === '' ? <Muted words={t('empty')} /> : <Words text={value} />
  if (typeof value === 'number') return formatNumber(value, { maximumFractionDigits: 20, useGrouping: false })
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  if (value === null || value === undefined) return <Muted words={t('none')} />
  if (level >= mostLevels) return <Words text={JSON.stringify(value, null, 2)} look="code" />
  if (Array.isArray(value)) return <List items={value} level={level} />
  return isRecord(value) ? <Pairs pairs={Object.entries(value)} level={level} /> : null
}

function Pairs({ pairs, level }: { pairs: readonly (readonly [string, unknown])[]; level: number }) {
  const t = useText('tool-calls')
  const { shown, more } = useMore(pairs)
  if (pairs.length === 0) return <Muted words={t('empty')} />
  return (
    <>
      <dl className="grid grid-cols-[minmax(4rem,auto)_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
        {shown.map(([name, value]) => (
          <div key={name} className="contents">
            <dt dir="auto" className="max-w-40 text-muted wrap-anywhere">
              <PlainText text={name} />
            </dt>
            <dd className="min-w-0">
              <ValueView value={value} level={level + 1} />
            </dd>
          </div>
        ))}
      </dl>
      {more}
    </>
  )
}

function List({ items, level }: { items: readonly unknown[]; level: number }) {
  const t = useText('tool-calls')
  const { shown, more } = useMore(items)
  if (items.length === 0) return <Muted words={t('empty')} />
  return (
    <>
      <ol className="flex list-decimal flex-col gap-1.5 ps-6 text-sm marker:text-xs marker:text-muted">
        {shown.map((item, index) => (
          // What lists hold has no id, and never changes.
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what an entry is known by
          <li key={index}>
            <ValueView value={item} level={level + 1} />
          </li>
        ))}
      </ol>
      {more}
    </>
  )
}

/** A text as it is, in its own direction unless it is code; of a very long one its beginning, and more on demand. */
export function Words({ text, look }: { text: string; look?: 'code' | 'output' }) {
  const t = useText('tool-calls')
  const [most, setMost] = useState(mostCharacters)
  const shown = text.slice(0, most)
  return (
    <>
      <span
        dir={look === 'code' ? 'ltr' : 'auto'}
        className={`block text-start whitespace-pre-wrap wrap-anywhere ${look ? 'font-mono text-xs' : 'text-sm'}`}
      >
        <PlainText text={shown} />
      </span>
      {text.length > most && (
        <Button size="small" className="mt-1.5" onClick={() => setMost(most + mostCharacters)}>
          {t('showMore')}
        </Button>
      )}
    </>
  )
}

function useMore<T>(all: readonly T[]) {
  const t = useText('tool-calls')
  const [most, setMost] = useState(atATime)
  const more = all.length > most && (
    <Button size="small" className="mt-1.5" onClick={() => setMost(most + atATime)}>
      {t('showMore')}
    </Button>
  )
  return { shown: all.slice(0, most), more }
}

const Muted = ({ words }: { words: string }) => <span className="text-sm text-muted">{words}</span>
