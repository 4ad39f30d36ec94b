import type { ArtifactKind } from '@atrium/contract/artifacts'
import { useMemo } from 'react'
import { useText } from 'virtual:words/artifact'
import { Markdown } from '../markdown/markdown.tsx'
import { CsvGrid } from './csv-grid.tsx'

/** Artifacts in which nothing runs, drawn by the app itself. */
export function DrawnView({ kind, content, title }: { kind: ArtifactKind; content: string; title: string }) {
  const t = useText('artifact')
  const text = useMemo(() => {
    if (kind === 'markdown') return content
    if (kind === 'mermaid') return fenced('mermaid', content)
    return fenced('json', prettyJson(content))
  }, [kind, content])
  if (content.trim() === '') return <p className="p-4 text-muted">{t('nothingToShow')}</p>
  if (kind === 'csv') return <CsvGrid text={content} label={title} />
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">
      <div className="mx-auto max-w-text">
        <Markdown text={text} />
      </div>
    </div>
  )
}

/** More ticks than stand in the text. */
const fenced = (language: string, text: string): string => {
  const most = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(most + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

const prettyJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // What is no JSON is shown as it is.
    return text
  }
}
