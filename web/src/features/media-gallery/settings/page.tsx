import { mediaGalleryRoutes as routes, type MediaModels, type MediaStorage } from '@atrium/contract/media-gallery'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { savePreferences, usePreferences } from '../../../api/account.ts'
import { queryOf } from '../../../api/query.ts'
import { ChoiceSelects } from '../../../blocks/media-choices/choice-selects.tsx'
import { choicesOf, kinds, type MakeKind } from '../../../blocks/media-choices/choices.ts'
import { mediaModelKey, usualModelKey } from '../../../blocks/media-models.ts'
import { useMediaWords } from '../../../blocks/media-words/media-words.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Group, Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { formatNumber, formatSize } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Progress } from '../../../ui/progress.tsx'
import { Select } from '../../../ui/select.tsx'
import { useText } from 'virtual:words/media-gallery-settings'
import { modelsQuery } from '../make/make.ts'

/** Which model makes what, and how, where nothing else is chosen; and what the gallery keeps. */
export function MediaSettings() {
  const t = useText('media-gallery-settings')
  const models = useQuery(modelsQuery)
  const storage = useQuery({ ...queryOf(routes.storage), staleTime: 0 })
  return (
    <>
      <Group title={t('defaults')} text={t('defaultsText')}>
        <QueryView query={models}>
          {(data) => kinds.map((kind) => <DefaultRow key={kind} kind={kind} models={data} />)}
        </QueryView>
      </Group>
      <section id="galleryStorage" className="-mx-3 mt-8 rounded-lg px-3">
        <Group title={t('entry.galleryStorage')} text={t('storageText')}>
          <QueryView query={storage}>{(data) => <StorageFacts storage={data} />}</QueryView>
        </Group>
      </section>
    </>
  )
}

function DefaultRow({ kind, models }: { kind: MakeKind; models: MediaModels }) {
  const t = useText('media-gallery-settings')
  const { modelName } = useMediaWords()
  const { mediaDefaults } = usePreferences()
  const { saving, save } = useSave()
  const set = mediaDefaults[kind]
  const able = models[kind]
  const model = able.find((one) => mediaModelKey(one) === usualModelKey(set))
  const choose = (key: string, options: Readonly<Record<string, string>>) => {
    const next = able.find((one) => mediaModelKey(one) === key)
    const others = Object.fromEntries(Object.entries(mediaDefaults).filter(([name]) => name !== kind))
    const own = next ? { [kind]: { providerId: next.pluginId, model: next.model, options: said(options) } } : {}
    void save(() => savePreferences({ mediaDefaults: { ...others, ...own } }))
  }
  return (
    <Row
      id={kind}
      label={t(`entry.${kind}`)}
      help={able.length === 0 ? t('noModel') : undefined}
      saving={saving}
      stacked={model !== undefined}
    >
      {(names) => (
        <div className={classNames('flex max-w-full flex-wrap gap-2', model && 'max-tab:w-full')}>
          <Select
            {...names}
            className={classNames('w-72 max-w-full', model && 'max-tab:w-full')}
            value={model ? mediaModelKey(model) : ''}
            disabled={able.length === 0}
            options={[
              { value: '', label: t('automatic') },
              ...able.map((one) => ({
                value: mediaModelKey(one),
                label: modelName(one),
              })),
            ]}
            onChange={(key) => choose(key, {})}
          />
          {model && (
            <ChoiceSelects
              choices={choicesOf(kind, model)}
              chosen={set?.options ?? {}}
              onChoose={(options) => choose(mediaModelKey(model), options)}
            />
          )}
        </div>
      )}
    </Row>
  )
}

const said = (options: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== ''))

function StorageFacts({ storage: { usedBytes, quotaBytes, trashedBytes, kinds: byKind } }: { storage: MediaStorage }) {
  const t = useText('media-gallery-settings')
  const used = formatSize(usedBytes)
  return (
    <>
      <p className="mt-2 font-medium">
        {quotaBytes === null ? t('used', { used }) : t('usedOf', { used, quota: formatSize(quotaBytes) })}
      </p>
      {quotaBytes !== null && (
        <Progress label={t('entry.galleryStorage')} share={usedBytes / quotaBytes} className="mt-2 w-full" />
      )}
      <dl className="mt-3">
        {byKind.map(({ kind, count, bytes }) => (
          <div key={kind} className="flex items-baseline gap-3 border-b border-line py-2.5">
            <dt className="min-w-0 flex-1">
              {t(`kind.${kind}`)}
              <span className="ms-2 text-sm text-muted">{formatNumber(count)}</span>
            </dt>
            <dd className="tabular-nums">{formatSize(bytes)}</dd>
          </div>
        ))}
        <div className="flex items-baseline gap-3 border-b border-line py-2.5">
          <dt className="min-w-0 flex-1">
            <Link to={links.trash()} className="font-medium text-accent-ink underline underline-offset-2">
              {t('inTrash')}
            </Link>
          </dt>
          <dd className="tabular-nums">{formatSize(trashedBytes)}</dd>
        </div>
      </dl>
    </>
  )
}
