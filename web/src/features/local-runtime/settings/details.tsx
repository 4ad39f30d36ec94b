import { localRuntimeRoutes, type ModelDetails } from '@atrium/contract/local-runtime'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/query.ts'
import { formatDay, formatNumber } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { useText } from 'virtual:words/local-runtime'

/** What the runtime tells of one model. */
export function DetailsDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const t = useText('local-runtime')
  const shown = useQuery(queryOf(localRuntimeRoutes.show, { query: { name } }))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={name}
      width="wide"
      footer={
        <Button tone="primary" onClick={onClose}>
          {t('close')}
        </Button>
      }
    >
      <QueryView query={shown}>{(details) => <Details details={details} />}</QueryView>
    </Dialog>
  )
}

function Details({ details }: { details: ModelDetails }) {
  const t = useText('local-runtime')
  const facts: [string, string | null][] = [
    ['family', details.family],
    ['format', details.format],
    ['parameters', details.parameterSize],
    ['quantization', details.quantization],
    ['context', details.contextWindow === null ? null : t('window', { tokens: formatNumber(details.contextWindow) })],
    ['embedding', details.embeddingLength === null ? null : formatNumber(details.embeddingLength)],
    ['capabilities', details.capabilities.join(', ') || null],
    ['modified', details.modifiedAt === null ? null : formatDay(details.modifiedAt)],
  ]
  const values = Object.entries(details.parameters)
    .flatMap(([key, value]) => [value].flat().map((one) => `${key} ${JSON.stringify(one)}`))
    .join('\n')
  const texts: [string, string | null][] = [
    ['values', values || null],
    ['system', details.system],
    ['template', details.template],
    ['license', details.license],
    ['definition', details.definition],
  ]
  return (
    <div className="flex flex-col gap-4 pb-3">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2.5 max-tab:grid-cols-1">
        {facts.map(
          ([key, value]) =>
            value !== null && (
              <div key={key}>
                <dt className="text-sm text-muted">{t(`detail.${key}`)}</dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ),
        )}
      </dl>
      {texts.map(
        ([key, value]) =>
          value !== null && (
            <section key={key}>
              <h3 className="text-sm text-muted">{t(`detail.${key}`)}</h3>
              <pre
                dir={key === 'system' ? 'auto' : 'ltr'}
                // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
                tabIndex={0}
                className="mt-1 max-h-48 overflow-auto rounded-md border border-line bg-sunken px-3 py-2 text-start font-mono text-sm whitespace-pre-wrap"
              >
                {value}
              </pre>
            </section>
          ),
      )}
    </div>
  )
}
