import { appMediaType, type ToolResult } from '@atrium/contract/generation'
import { Link } from '@tanstack/react-router'
import { resourceDisplay, resourceLink } from '../../lib/resources.ts'
import { useText } from 'virtual:words/tool-calls'
import { AppOpener } from './app/app-opener.tsx'
import { ContentView } from './content-view.tsx'
import { PlainText } from './plain-text.tsx'
import { ResultMedia } from './result-media.tsx'
import { ResultResources } from './result-resources.tsx'
import { WholeResult } from './whole-result.tsx'

/** What a tool gave for what it was called with: its words, and the things that it is about. */
export function ResultView({
  result,
  recordId,
  serverId,
  args,
}: {
  result: ToolResult
  recordId: string | undefined
  serverId: string | undefined
  args: string
}) {
  const t = useText('tool-calls')
  const { text, characters = 0, media = [], links = [], structured, resources = [] } = result
  const app = media.find(({ mediaType }) => mediaType === appMediaType)
  const files = media.filter((one) => one !== app)
  return (
    <>
      {recordId && characters > text.length ? (
        <WholeResult recordId={recordId} text={text} characters={characters} />
      ) : (
        text !== '' && <ContentView title={t('result')} text={text} copy={t('copyResult')} />
      )}
      {structured !== undefined && <ContentView title={t('structured')} text={structured} copy={t('copyStructured')} />}
      {resources.length > 0 && <ResultResources resources={resources} />}
      {recordId && app && (
        <AppOpener recordId={recordId} serverId={serverId} index={app.index} args={args} result={result} />
      )}
      {recordId && files.length > 0 && <ResultMedia recordId={recordId} media={files} />}
      {links.length > 0 && (
        <ul aria-label={t('opens')} className="flex flex-wrap gap-1.5">
          {links.map(({ kind, id, title }) => {
            const Icon = resourceDisplay(kind)?.icon
            return (
              <li key={`${kind} ${id}`} className="max-w-full">
                <Link
                  to={resourceLink(kind, { id })}
                  className="flex h-control-small items-center gap-1.5 rounded-md border border-line bg-raised px-2 hover:bg-hover"
                >
                  {Icon && <Icon aria-hidden className="size-3.5 shrink-0 text-muted" />}
                  <bdi className="min-w-0 truncate">
                    <PlainText text={title} />
                  </bdi>
                </Link>
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}
