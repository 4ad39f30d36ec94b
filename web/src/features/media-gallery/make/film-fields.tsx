import type { MediaModel } from '@atrium/contract/media-gallery'
import { type Film, filmPartsOf } from '../../../blocks/media-choices/choices.ts'
import { CheckField } from '../../../ui/check-field.tsx'
import { useText } from 'virtual:words/media-gallery-make'
import { PictureList } from '../picture-list.tsx'

/** Pictures that a film begins and ends with, and whether it has sound, as far as its model does that. */
export function FilmFields({
  model,
  film,
  onChange,
}: {
  model: MediaModel
  film: Film
  onChange: (film: Film) => void
}) {
  const t = useText('media-gallery-make')
  const { first, last, audio, usualAudio } = filmPartsOf(model)
  return (
    <>
      {(['firstFrameId', 'lastFrameId'] as const).map(
        (field) =>
          (field === 'firstFrameId' ? first : last) && (
            <PictureList
              key={field}
              label={t(`field.${field}`)}
              add={t(`add.${field}`)}
              ids={film[field] === '' ? [] : [film[field]]}
              most={1}
              onChange={([id = '']) => onChange({ ...film, [field]: id })}
            />
          ),
      )}
      {audio && (
        <CheckField
          label={t('field.generateAudio')}
          checked={film.generateAudio ?? usualAudio}
          onChange={(generateAudio) => onChange({ ...film, generateAudio })}
        />
      )}
    </>
  )
}
