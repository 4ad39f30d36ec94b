import { documentsRoutes } from '@atrium/contract/documents'
import { useQuery } from '@tanstack/react-query'
import { useIsAdmin } from '../../../api/account.ts'
import { queryOf } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Group } from '../../../blocks/setting-row/row.tsx'
import { BuiltInReader } from './built-in-reader.tsx'
import { FailedDocuments } from './failed.tsx'
import { Meaning } from './meaning.tsx'
import { SpeechModelRow, VisionModelRow } from './models.tsx'
import { Passages } from './passages.tsx'
import { Tester } from './tester.tsx'
import { useText } from 'virtual:words/documents-settings'

/** How the own documents are read, cut, found and quoted. */
export function DocumentSettings() {
  const t = useText('documents-settings')
  const isAdmin = useIsAdmin()
  const settings = useQuery(queryOf(documentsRoutes.embeddingSettings))
  return (
    <>
      <QueryView query={settings}>
        {(value) => (
          <>
            <Group title={t('meaning.title')} text={t('meaning.text')}>
              <Meaning settings={value} />
            </Group>
            <Group title={t('passages.title')} text={t('passages.text')}>
              <Passages settings={value} />
            </Group>
          </>
        )}
      </QueryView>
      <Group title={t('models.title')} text={t('models.text')}>
        <VisionModelRow />
        <SpeechModelRow />
      </Group>
      <Group title={t('tester.title')} text={t('tester.text')}>
        <Tester />
      </Group>
      {isAdmin && (
        <Group title={t('reader.title')} text={t('reader.text')}>
          <BuiltInReader />
        </Group>
      )}
      <FailedDocuments />
    </>
  )
}
