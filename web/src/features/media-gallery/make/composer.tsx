import type { MediaItem, MediaModel, MediaModels } from '@atrium/contract/media-gallery'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import { usePreferences } from '../../../api/account.ts'
import { failureOf } from '../../../api/errors.ts'
import { ChoiceSelects, CountSelect, ModelSelect } from '../../../blocks/media-choices/choice-selects.tsx'
import {
  choicesOf,
  type Film,
  filmFieldsOf,
  filmPartsOf,
  kindsOf,
  listedOf,
  type MakeKind,
  requestOf,
} from '../../../blocks/media-choices/choices.ts'
import { CostNote } from '../../../blocks/media-choices/cost-note.tsx'
import { secondsOf } from '../../../blocks/media-choices/cost.ts'
import { mediaModelKey, usualModelKey } from '../../../blocks/media-models.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { TextArea } from '../../../ui/input.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/media-gallery-make'
import { FilmFields } from './film-fields.tsx'
import { modelsQuery, startMaking } from './make.ts'

/**
 * One box for everything that can be made; nothing where no model makes anything. `from`: what is to be made anew;
 * `frameId`: a picture that a film is to begin with.
 */
export function MakeComposer({ from, frameId }: { from: MediaItem | null; frameId: string }) {
  const { data } = useQuery(modelsQuery)
  if (!data || kindsOf(data).length === 0) return null
  return <Box key={from?.id ?? frameId} models={data} from={from} frameId={frameId} />
}

function Box({ models, from, frameId }: { models: MediaModels; from: MediaItem | null; frameId: string }) {
  const t = useText('media-gallery-make')
  const offered = kindsOf(models)
  const [kind, setKind] = useState<MakeKind>(kindIn(models, from, frameId) ?? offered[0] ?? 'image')
  const [prompt, setPrompt] = useState(from?.prompt ?? '')
  const [wanted, setWanted] = useState(from ? mediaModelKey(from) : '')
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>(from ? wordsIn(from.options) : {})
  const [count, setCount] = useState(1)
  const [film, setFilm] = useState(() => filmIn(from?.options ?? {}, frameId))
  const usual = frameId === '' ? models[kind][0] : models[kind].find((one) => filmPartsOf(one).first)
  const { mediaDefaults } = usePreferences()
  const set = mediaDefaults[kind]
  const preferred = frameId === '' && models[kind].find((one) => mediaModelKey(one) === usualModelKey(set))
  const model: MediaModel | undefined =
    models[kind].find((one) => mediaModelKey(one) === wanted) ?? (preferred || usual || models[kind][0])
  // What is made anew is made as it was.
  const options = from === null && model && model === preferred ? { ...set?.options, ...chosen } : chosen
  const choices = model ? choicesOf(kind, model) : []
  const making = useMutation({
    mutationFn: (body: Record<string, unknown>) => startMaking(kind, body),
    onSuccess: ({ missing }) => missing && toast(t('fewer')),
  })
  const failure = failureOf(making.error)
  const submit = () => {
    if (!model || !prompt.trim()) return
    const body = requestOf(kind, model, prompt.trim(), listedOf(choices, options), count)
    making.mutate(kind === 'video' ? { ...body, ...filmFieldsOf(model, film) } : body)
  }
  return (
    <form
      aria-label={t('title')}
      className="flex flex-col gap-3 rounded-xl border border-line bg-raised p-3"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {offered.length > 1 && (
        <SegmentedControl
          label={t('kinds')}
          value={kind}
          onChange={setKind}
          options={offered.map((value) => ({ value, label: t(`kind.${value}`) }))}
          className="self-start"
        />
      )}
      <TextArea
        aria-label={t(`prompt.${kind}`)}
        placeholder={t(`prompt.${kind}`)}
        rows={2}
        dir="auto"
        value={prompt}
        maxLength={100_000}
        onChange={(event) => setPrompt(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
          event.preventDefault()
          submit()
        }}
      />
      <div className="flex flex-wrap items-center gap-2">
        <ModelSelect models={models[kind]} model={model} onChoose={setWanted} />
        <ChoiceSelects choices={choices} chosen={options} onChoose={setChosen} />
        {kind === 'video' && model && <FilmFields model={model} film={film} onChange={setFilm} />}
        {kind === 'image' && model && <CountSelect model={model} count={count} onChoose={setCount} />}
        <span className="flex-1" />
        <CostNote kind={kind} model={model} text={prompt.trim()} count={count} seconds={secondsOf(choices, options)} />
        <Button
          type="submit"
          tone="primary"
          icon={<Sparkles className="size-4" />}
          busy={making.isPending}
          disabled={!prompt.trim()}
        >
          {making.isPending ? t('making') : t('make')}
        </Button>
      </div>
      {failure && <ErrorCard title={failure.title} details={failure.details} />}
    </form>
  )
}

/** Which kind an item was made as: speech and sound are both kept as audio. */
const kindIn = (models: MediaModels, from: MediaItem | null, frameId: string): MakeKind | null => {
  if (!from) return frameId !== '' && models.video.length > 0 ? 'video' : null
  const key = mediaModelKey(from)
  const fits = (kind: MakeKind) => models[kind].some((one) => mediaModelKey(one) === key)
  const able = from.kind === 'audio' ? (['speech', 'sound'] as const) : ([from.kind] as const)
  return able.find(fits) ?? able.find((kind) => models[kind].length > 0) ?? null
}

const wordsIn = (options: MediaItem['options']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) => {
      if (typeof value !== 'string' && typeof value !== 'number') return []
      return [[name, name === 'durationMs' ? String(Number(value) / 1000) : String(value)]]
    }),
  )

const filmIn = ({ firstFrameId, lastFrameId, generateAudio }: MediaItem['options'], frameId: string): Film => ({
  firstFrameId: typeof firstFrameId === 'string' ? firstFrameId : frameId,
  lastFrameId: typeof lastFrameId === 'string' ? lastFrameId : '',
  generateAudio: typeof generateAudio === 'boolean' ? generateAudio : null,
})
