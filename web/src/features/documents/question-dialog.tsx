import type { Document } from '@atrium/contract/documents'
import { Dialog } from '../../ui/dialog.tsx'
import { Tester } from './settings/tester.tsx'
import { useText } from 'virtual:words/documents'

/** Which passages of one document a question would find; each leads to its place. */
export function QuestionDialog({ document, onClose }: { document: Document; onClose: () => void }) {
  const t = useText('documents')
  return (
    <Dialog open onOpenChange={onClose} title={t('testQuestion')} description={t('testQuestionText')} width="wide">
      <Tester document={document} onOpen={onClose} />
    </Dialog>
  )
}
