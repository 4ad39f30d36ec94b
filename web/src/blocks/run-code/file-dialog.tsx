import { type CodeFile, codeInterpreterRoutes as routes } from '@atrium/contract/code-interpreter'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../api/client.ts'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { contentPath } from './content-path.ts'
import { useText } from 'virtual:words/run-code'

const mostLetters = 100_000
const isPicture = /^image\/(?:png|jpeg|gif|webp)$/

/** What is in a file: pictures and text; of others it says that they are to be saved. */
export function FileDialog({ file, onClose }: { file: CodeFile; onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title={file.name} width="wide" isLongText>
      {isPicture.test(file.mediaType) ? (
        <img src={contentPath(file)} alt={file.name} className="mx-auto max-h-[70vh] max-w-full" />
      ) : (
        <FileText file={file} />
      )}
    </Dialog>
  )
}

function FileText({ file }: { file: CodeFile }) {
  const t = useText('run-code')
  const text = useQuery({
    queryKey: ['code-file', file.id],
    queryFn: async ({ signal }) => {
      const answer = await send(routes.content, { params: { fileId: file.id } }, { signal })
      return readText(await answer.arrayBuffer())
    },
    gcTime: 0,
  })
  if (text.isPending) return <Skeleton lines={6} />
  if (text.isError) {
    return (
      <ErrorCard title={t('kept.notOpened')} details={detailsOf(text.error)} onRetry={() => void text.refetch()}>
        {wordsOf(text.error)}
      </ErrorCard>
    )
  }
  if (text.data === null) return <p className="text-muted">{t('kept.cannotShow')}</p>
  return (
    <>
      <pre
        dir="auto"
        className="max-h-[65vh] overflow-auto rounded-md bg-sunken p-3 font-mono text-sm whitespace-pre-wrap"
      >
        {text.data.slice(0, mostLetters)}
      </pre>
      {text.data.length > mostLetters && <p className="mt-2 text-sm text-muted">{t('kept.cut')}</p>}
    </>
  )
}

/** null: it is no text. */
function readText(bytes: ArrayBuffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}
