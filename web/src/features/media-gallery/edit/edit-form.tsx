import type { MediaItem, MediaModel } from '@atrium/contract/media-gallery'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../../../api/errors.ts'
import { ChoiceSelects, CountSelect, ModelSelect } from '../../../blocks/media-choices/choice-selects.tsx'
import { choicesOf, listedOf, requestOf, takesMask } from '../../../blocks/media-choices/choices.ts'
import { CostNote } from '../../../blocks/media-choices/cost-note.tsx'
import { mediaModelKey, sourcesOf } from '../../../blocks/media-models.ts'
import { maskOf } from '../../../blocks/picture-mask/draw-mask.ts'
import { MaskTools } from '../../../blocks/picture-mask/mask-tools.tsx'
import type { Size } from '../../../blocks/picture-mask/mask.ts'
import type { MaskState } from '../../../blocks/picture-mask/use-mask.ts'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Field } from '../../../ui/field.tsx'
import { TextArea } from '../../../ui/input.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/media-gallery-edit'
import { makeEdit } from '../make/make.ts'
import { PictureList } from '../picture-list.tsx'

/** What is to change, in words; from which other pictures, where, and with which model. */
export function EditForm({
  item,
  models,
  size,
  mask,
}: {
  item: MediaItem
  models: readonly MediaModel[]
  /** null until the picture is there. */
  size: Size | null
  mask: MaskState
}) {
  const t = useText('media-gallery-edit')
  const navigate = useNavigate()
  const [prompt, setPrompt] = useState('')
  const [others, setOthers] = useState<readonly string[]>([])
  const [wanted, setWanted] = useState(mediaModelKey(item))
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const [count, setCount] = useState(1)
  const model = models.find((one) => mediaModelKey(one) === wanted) ?? models[0]
  const most = model ? sourcesOf(model) - 1 : 0
  const choices = model ? choicesOf('image', model).filter(({ field }) => field !== 'style') : []
  const canMask = model !== undefined && takesMask(model) && size !== null
  const sources = others.slice(0, most)
  const making = useMutation({
    mutationFn: async () => {
      if (!model) return null
      const fields = requestOf('image', model, prompt.trim(), listedOf(choices, chosen), count)
      const isMasked = canMask && mask.isOn && mask.marks.length > 0
      return await makeEdit({
        fields,
        sources: [item.id, ...sources],
        mask: isMasked ? await maskOf(mask.marks, size) : null,
      })
    },
  })
  const failure = failureOf(making.error)
  const submit = () => {
    if (!prompt.trim() || making.isPending) return
    // Whoever left the page meanwhile stays where they are.
    making.mutate(undefined, {
      onSuccess: (made) => {
        if (!made) return
        if (made.missing) toast(t('fewer'))
        const [first] = made.items
        void navigate({ to: first && made.items.length === 1 ? links.galleryItem(first.id) : links.gallery() })
      },
    })
  }
  return (
    <form
      aria-label={t('title')}
      className="flex flex-col gap-5 border-line p-4 max-desk:border-t desk:w-88 desk:overflow-y-auto desk:border-s"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Field label={t('prompt')}>
        <TextArea
          rows={3}
          dir="auto"
          value={prompt}
          placeholder={t('example')}
          maxLength={100_000}
          onChange={(event) => setPrompt(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
            event.preventDefault()
            submit()
          }}
        />
      </Field>
      {most > 0 && (
        <section>
          <h2 className="mb-1.5 text-sm font-medium">{t('others')}</h2>
          <div className="flex flex-wrap items-center gap-2">
            <PictureList
              label={t('others')}
              add={t('addOther')}
              ids={sources}
              most={most}
              without={[item.id]}
              onChange={setOthers}
            />
          </div>
        </section>
      )}
      {canMask && (
        <section className="flex flex-col gap-3">
          <CheckField label={t('part')} hint={t('partHint')} checked={mask.isOn} onChange={mask.setOn} />
          {mask.isOn && <MaskTools size={size} mask={mask} />}
        </section>
      )}
      <div className="flex flex-wrap gap-2">
        <ModelSelect models={models} model={model} onChoose={setWanted} />
        <ChoiceSelects choices={choices} chosen={chosen} onChoose={setChosen} />
        {model && <CountSelect model={model} count={count} onChoose={setCount} />}
      </div>
      {failure && <ErrorCard title={failure.title} details={failure.details} />}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          type="submit"
          tone="primary"
          icon={<Sparkles className="size-4" />}
          busy={making.isPending}
          disabled={!prompt.trim()}
        >
          {t(making.isPending ? 'making' : 'make')}
        </Button>
        <CostNote kind="image" model={model} text="" count={count} />
      </div>
    </form>
  )
}
