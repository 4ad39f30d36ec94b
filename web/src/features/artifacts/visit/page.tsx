/** `/shared-artifact#…`: an artifact that is shared by a link, for whoever has the link. */
import { artifactsRoutes as routes } from '@atrium/contract/artifacts'
import { useQuery } from '@tanstack/react-query'
import { Maximize, Minimize } from 'lucide-react'
import { useRef } from 'react'
import { call } from '../../../api/client.ts'
import { codeOf, detailsOf, wordsOf } from '../../../api/errors.ts'
import { follow } from '../../../api/follow.ts'
import { queryClient } from '../../../api/query.ts'
import { CodeView } from '../../../blocks/artifact/code-view.tsx'
import { ShownView } from '../../../blocks/artifact/shown-view.tsx'
import { useFullScreen } from '../../../blocks/artifact/use-full-screen.ts'
import { CopyButton } from '../../../blocks/copy-button.tsx'
import { PicturesContext } from '../../../blocks/markdown/picture.tsx'
import { VisitHeader } from '../../../blocks/share-links/visit-header.tsx'
import { useVisitEnd } from '../../../blocks/share-links/use-visit-end.ts'
import { type Visit, VisitPage } from '../../../blocks/share-links/visit-page.tsx'
import { useTitle } from '../../../lib/title.ts'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useText } from 'virtual:words/artifacts-visit'
// What the server refuses, in words.
import 'virtual:words/artifacts'

export function LinkedArtifactPage() {
  const t = useText('artifacts-visit')
  return (
    <VisitPage
      words={{ title: t('title'), notLoaded: t('notLoaded'), open: t('open') }}
      codes={{
        missing: 'artifact_link_not_found',
        password: 'artifact_link_password',
        locked: 'artifact_link_locked',
      }}
      open={(body) => call(routes.openLink, { body }, { asGuest: true })}
    >
      {(visit) => <LinkedArtifact key={visit.visit} {...visit} />}
    </VisitPage>
  )
}

/** What a visit shows, as it is and as it becomes; it runs in the frame in which the owner's does. */
function LinkedArtifact({ visit, ownerName, onOver }: Visit) {
  const t = useText('artifacts-visit')
  const box = useRef<HTMLDivElement>(null)
  const full = useFullScreen(box)
  const queryKey = ['linked-artifact', visit]
  const shown = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(routes.linkedArtifact, { body: { visit } }, { signal, asGuest: true }),
    gcTime: 0,
  })
  useVisitEnd({
    visit,
    followVisit: (told) =>
      follow(routes.followLink, { body: { visit } }, { ...told, isLast: ({ type }) => type === 'ended' }),
    onChanged: () => void queryClient.invalidateQueries({ queryKey }),
    onOver,
    isGone: codeOf(shown.error) === 'artifact_link_not_found',
  })
  const { data } = shown
  const title = data?.title ?? t('title')
  useTitle(title)
  return (
    <div className="flex h-dvh flex-col">
      <VisitHeader title={title} ownerName={ownerName} />
      <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
        {shown.isPending && <Skeleton lines={8} className="p-5" />}
        {shown.isError && codeOf(shown.error) !== 'artifact_link_not_found' && (
          <div className="p-4">
            <ErrorCard title={t('notLoaded')} details={detailsOf(shown.error)} onRetry={() => void shown.refetch()}>
              {wordsOf(shown.error)}
            </ErrorCard>
          </div>
        )}
        {data && (
          <div ref={box} className="flex min-h-0 flex-1 flex-col bg-surface">
            <div className="flex shrink-0 items-center justify-end gap-1 border-b border-line px-3 py-1">
              <CopyButton text={data.content} label={t('copy')} size="normal" />
              <IconButton
                label={full.isFull ? t('leaveFullScreen') : t('fullScreen')}
                icon={full.isFull ? <Minimize /> : <Maximize />}
                onClick={full.toggle}
              />
            </div>
            <PicturesContext value={false}>
              {data.kind === 'code' ? (
                <CodeView
                  title={data.title}
                  text={data.content}
                  language={data.language ?? 'text'}
                  onChange={null}
                  onSave={() => undefined}
                />
              ) : (
                <ShownView kind={data.kind} title={data.title} content={data.content} onFullScreen={full.enter} />
              )}
            </PicturesContext>
          </div>
        )}
      </main>
      <footer className="shrink-0 border-t border-line px-4 py-2 text-center text-sm text-muted">
        {t('readOnly')}
      </footer>
    </div>
  )
}
