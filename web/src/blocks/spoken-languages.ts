/** Languages that people dictate and record in, by their names in the language of the page. */
import { i18n } from '../lib/texts.ts'

const codes =
  'ar bg ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sr sv sw th tr uk ur vi zh'

export function spokenLanguages(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(i18n.language, { type: 'language' })
  return codes
    .split(' ')
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((a, b) => a.label.localeCompare(b.label, i18n.language))
}
