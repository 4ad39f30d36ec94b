import type { ToolResultResource } from '@atrium/contract/generation'
import { FileText, Link2 } from 'lucide-react'
import { useText } from 'virtual:words/tool-calls'
import { CopyButton } from '../copy-button.tsx'
import { ContentView } from './content-view.tsx'
import { showHidden } from './invisible.ts'
import { PlainText } from './plain-text.tsx'

/** Resources that a result names or holds. Addresses are shown to be copied, and lead nowhere from here. */
export function ResultResources({ resources }: { resources: readonly ToolResultResource[] }) {
  const t = useText('tool-calls')
  return (
    <section aria-label={t('resources')}>
      <h5 className="mb-1 text-xs text-muted">{t('resources')}</h5>
      <ul className="flex flex-col gap-1.5">
        {resources.map((resource, index) => (
          // They have nothing that is unique, and never change places.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="rounded-md border border-line bg-raised px-2 py-1.5">
            <ResourceRow resource={resource} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function ResourceRow({ resource: { uri, name, description, mediaType, text } }: { resource: ToolResultResource }) {
  const t = useText('tool-calls')
  const Icon = text === null ? Link2 : FileText
  const shown = showHidden(name || uri)
  return (
    <>
      <div className="flex items-start gap-2">
        <Icon aria-hidden className="mt-1 size-3.5 shrink-0 text-muted" />
        <div className="min-w-0 flex-1 text-sm">
          <bdi className="wrap-anywhere">
            <PlainText text={name || uri} />
          </bdi>
          {mediaType && <span className="ms-1.5 text-xs text-muted">{mediaType}</span>}
          <p dir="ltr" className="text-start text-xs wrap-anywhere text-muted">
            <PlainText text={uri} />
          </p>
          {description !== '' && (
            <p dir="auto" className="text-xs wrap-anywhere text-muted">
              <PlainText text={description} />
            </p>
          )}
        </div>
        <CopyButton text={uri} label={t('copyAddress', { name: shown })} tooltipSide="top" />
      </div>
      {text !== null && text !== '' && (
        <ContentView title={shown} text={text} copy={t('copyResource', { name: shown })} />
      )}
    </>
  )
}
