import type { EmbeddingSettings } from '@atrium/contract/documents'
import { useState } from 'react'
import { Problem } from '../../../api/errors.ts'
import { formatNumber } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { SwitchRow } from '../../../blocks/setting-row/switch-row.tsx'
import { TextRow } from '../../../blocks/setting-row/text-row.tsx'
import { resetSettings, saveSettings } from './store.ts'
import { useText } from 'virtual:words/documents-settings'

const limits = {
  chunkSize: [200, 8000],
  chunkOverlap: [0, 2000],
  maxExcerpts: [1, 20],
  similarityThreshold: [-1, 1],
} as const
type Figure = keyof typeof limits

/** How texts are cut, and how many passages of what closeness an answer gets. */
export function Passages({ settings }: { settings: EmbeddingSettings }) {
  const t = useText('documents-settings')
  const figure = (name: Figure) => {
    const [min, max] = limits[name]
    const whole = name !== 'similarityThreshold'
    return (
      <TextRow
        id={name}
        label={t(`${name}.label`)}
        help={t(`${name}.help`)}
        value={String(settings[name])}
        inputMode={whole ? 'numeric' : 'decimal'}
        ltr
        onSave={async (text) => {
          const value = Number(latin(text))
          if (
            text.trim() === '' ||
            Number.isNaN(value) ||
            value < min ||
            value > max ||
            (whole && !Number.isInteger(value))
          )
            throw new Problem('out_of_range', t('range', { min: formatNumber(min), max: formatNumber(max) }))
          const overlap = name === 'chunkOverlap' ? value : settings.chunkOverlap
          const size = name === 'chunkSize' ? value : settings.chunkSize
          if (overlap >= size) throw new Problem('out_of_range', t('overlapTooLarge'))
          await saveSettings({ [name]: value })
        }}
      />
    )
  }
  return (
    <>
      {figure('chunkSize')}
      {figure('chunkOverlap')}
      {figure('maxExcerpts')}
      {settings.enabled && figure('similarityThreshold')}
      {(['rerank', 'rewriteQuestions'] as const).map((name) => (
        <SwitchRow
          key={name}
          id={name}
          label={t(`${name}.label`)}
          help={t(`${name}.help`)}
          value={settings[name]}
          onSave={(on) => saveSettings({ [name]: on })}
        />
      ))}
      <Reset />
    </>
  )
}

function Reset() {
  const t = useText('documents-settings')
  const [asking, setAsking] = useState(false)
  const { saving, save } = useSave()
  return (
    <Row id="documentsReset" label={t('reset.label')} help={t('reset.help')} saving={saving}>
      {() => (
        <>
          <Button onClick={() => setAsking(true)}>{t('reset.button')}</Button>
          <ConfirmDialog
            open={asking}
            onOpenChange={setAsking}
            title={t('reset.title')}
            confirm={t('reset.button')}
            onConfirm={() => {
              setAsking(false)
              void save(resetSettings)
            }}
          >
            {t('reset.text')}
          </ConfirmDialog>
        </>
      )}
    </Row>
  )
}

/** With Arabic digits and a decimal comma, too. */
const latin = (text: string): string =>
  text
    .trim()
    .replace(/[٠-٩]/g, (digit) => String('٠١٢٣٤٥٦٧٨٩'.indexOf(digit)))
    .replace(/[,٫]/, '.')
