import { ChevronsUpDown, Download, Play, WrapText } from 'lucide-react'
import { lazy, memo, Suspense, use, useState } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { showDirectionSigns } from '../../lib/direction.ts'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ArtifactContext } from '../artifact/context.ts'
import { artifactFrom } from '../artifact/from-block.ts'
import { useRunnable } from '../run-code/runnable.ts'
import { saveFile } from '../save-file.ts'
import { CopyButton } from '../copy-button.tsx'
import { useText } from 'virtual:words/markdown'
import type { CodeToken } from './highlight-engine.ts'
import { canonicalLanguage, fileEnding, languageName } from './languages.ts'
import { useHighlight } from './highlight.ts'

const OpenButton = lazy(() => import('../artifact/open-button.tsx').then((module) => ({ default: module.OpenButton })))
const WatchButton = lazy(() =>
  import('../artifact/open-button.tsx').then((module) => ({ default: module.WatchButton })),
)
const RunPanel = lazy(() => import('../run-code/run-panel.tsx').then((module) => ({ default: module.RunPanel })))

const foldOver = 40
const foldedLines = 24

/** Code, always from left to right, with what one wants to do with it. */
export function CodeBlock({ code, language, closed }: { code: string; language: string; closed: boolean }) {
  const t = useText('markdown')
  const [wrap, setWrap] = useState(false)
  // What grew before the reader's eyes is not folded under them.
  const [folded, setFolded] = useState(closed)
  // Code that reads otherwise than it runs would deceive; copied and saved it stays as it came.
  const seen = showDirectionSigns(code)
  const lines = seen.split('\n')
  const long = lines.length > foldOver
  const shown = long && folded ? lines.slice(0, foldedLines) : lines
  const pieces = useHighlight(seen, language, closed)
  const runnable = useRunnable(canonicalLanguage(language), code, closed)
  const [isRun, setIsRun] = useState(false)
  const place = use(ArtifactContext)
  const artifact = place && (closed || place.watch) ? artifactFrom(language, code) : null
  return (
    <figure
      dir="ltr"
      className="code-block my-3 overflow-clip rounded-lg border border-line bg-sunken"
      aria-label={t('code.label', { language: languageName(language) || t('code.plain') })}
    >
      <figcaption className="sticky top-0 z-1 flex h-8 items-center gap-1 border-b border-line bg-sunken ps-3 pe-1 text-xs text-muted">
        <span className="min-w-0 flex-1 truncate">{languageName(language) || t('code.plain')}</span>
        {runnable && !isRun && (
          <Button
            tone="quiet"
            size="small"
            icon={<Play aria-hidden className="size-3" />}
            aria-label={t('code.runLabel', { language: languageName(language) })}
            onClick={() => setIsRun(true)}
          >
            {t('code.run')}
          </Button>
        )}
        {artifact && (
          <Suspense>
            {closed ? <OpenButton artifact={artifact} /> : place?.watch && <WatchButton onWatch={place.watch} />}
          </Suspense>
        )}
        <IconButton
          label={t('code.wrap')}
          icon={<WrapText />}
          size="small"
          pressed={wrap}
          onClick={() => setWrap(!wrap)}
        />
        <IconButton
          label={t('code.download')}
          icon={<Download />}
          size="small"
          onClick={() => saveFile(`code.${fileEnding(language)}`, code)}
        />
        <CopyButton text={code} label={t('code.copy')} />
      </figcaption>
      <pre
        tabIndex={0}
        className={classNames(
          'overflow-x-auto px-3 py-2.5 text-sm leading-relaxed',
          wrap && 'whitespace-pre-wrap break-words',
        )}
      >
        <code>
          {pieces
            ? shown.map((line, index) => <Line key={index} line={line} pieces={pieces[index]} />)
            : shown.join('\n')}
        </code>
      </pre>
      {long && (
        <Button
          tone="quiet"
          size="small"
          className="w-full rounded-none border-t border-line"
          icon={<ChevronsUpDown className="size-3.5" />}
          aria-expanded={!folded}
          onClick={() => setFolded(!folded)}
        >
          {folded ? t('code.unfold', { count: lines.length, lines: formatNumber(lines.length) }) : t('code.fold')}
        </Button>
      )}
      {runnable && isRun && (
        <Suspense>
          <RunPanel code={code} of={runnable} onClose={() => setIsRun(false)} />
        </Suspense>
      )}
    </figure>
  )
}

const Line = memo(
  function Line({ line, pieces }: { line: string; pieces: readonly CodeToken[] | undefined }) {
    // Colours that were computed for an older text of this line do not fit any more.
    const fits = pieces && pieces.reduce((length, piece) => length + piece.text.length, 0) === line.length
    if (!fits) return `${line}\n`
    return (
      <>
        {pieces.map((piece, index) => (
          <span key={index} className={piece.kind ? `tok-${piece.kind}` : undefined}>
            {piece.text}
          </span>
        ))}
        {'\n'}
      </>
    )
  },
  (before, after) => before.line === after.line && before.pieces === after.pieces,
)
