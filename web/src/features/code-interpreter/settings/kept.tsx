import { codeInterpreterRoutes as routes } from '@atrium/contract/code-interpreter'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileBox } from 'lucide-react'
import { pagesOf } from '../../../api/pages.ts'
import { queryOf } from '../../../api/query.ts'
import { PagedList } from '../../../blocks/paged-list.tsx'
import { KeptFile } from '../../../blocks/run-code/kept-files.tsx'
import { Row } from '../../../blocks/setting-row/row.tsx'
import { formatSize } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useText } from 'virtual:words/code-interpreter'
import { useText as useFileText } from 'virtual:words/run-code'

/** What programs keep for later ones, over all chats. */
export function KeptRow() {
  const t = useText('code-interpreter')
  const words = useFileText('run-code')
  const files = useInfiniteQuery({ ...pagesOf(routes.kept, { query: { limit: 50 } }), staleTime: 0 })
  const total = useQuery({ ...queryOf(routes.kept, { query: { limit: 1 } }), staleTime: 0 }).data?.totalBytes ?? 0
  const kept = files.data ?? []
  return (
    <Row id="keptFiles" label={t('entry.keptFiles')} help={t('keptHelp')} stacked>
      {() => (
        <div className="flex flex-col gap-2">
          {total > 0 && <p className="text-sm">{words('kept.total', { used: formatSize(total) })}</p>}
          <PagedList
            pages={files}
            label={t('entry.keptFiles')}
            failed={words('kept.notLoaded')}
            empty={
              <EmptyState icon={<FileBox />} title={words('kept.nothing')}>
                {words('kept.nothingText')}
              </EmptyState>
            }
          >
            {kept.map((file) => (
              <KeptFile key={file.id} file={file}>
                <Link
                  to={links.chat(file.chatId)}
                  className="hit inline-flex h-control items-center rounded-md px-2 text-sm text-muted hover:bg-hover hover:text-ink"
                >
                  {words('kept.chat')}
                </Link>
              </KeptFile>
            ))}
          </PagedList>
        </div>
      )}
    </Row>
  )
}
