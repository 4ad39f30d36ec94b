import { i18n } from '../../lib/texts.ts'
import { useText } from 'virtual:words/media-words'

/** Kokoro says language and sex in front of the name: `af_heart`. */
const kokoro = /^([abefhijpz])([fm])_([a-z]+)$/
const kokoroLanguages: Readonly<Record<string, string>> = {
  a: 'en-US',
  b: 'en-GB',
  e: 'es',
  f: 'fr',
  h: 'hi',
  i: 'it',
  j: 'ja',
  p: 'pt-BR',
  z: 'zh',
}

/**
 * What the choices of media models are called. `fieldName` gives null for what nobody chooses; `valueName` leaves a value
 * that has no words of its own as its provider writes it.
 */
export function useMediaWords() {
  const t = useText('media-words')
  const wordFor = (key: string) => t(key, { defaultValue: '' })
  return {
    modelName: ({ pluginId, pluginName, model }: { pluginId: string; pluginName: string; model: string }): string =>
      pluginId === 'builtin' ? t('builtinVoice') : t('modelOf', { model, provider: pluginName }),
    fieldName: (field: string): string | null => wordFor(`field.${field}`) || null,
    valueName(field: string, value: string): string {
      const pixels = /^(\d+)[x*](\d+)$/.exec(value)
      if (pixels) return t('pixels', { width: pixels[1], height: pixels[2] })
      if (/format$/i.test(field)) return value.toUpperCase()
      if (field !== 'voice') return wordFor(`value.${value}`) || value
      const [, language = '', sex = '', name = ''] = kokoro.exec(value) ?? []
      const spoken = kokoroLanguages[language]
      if (!spoken) return wordFor(`voice.${value}`) || capital(value)
      const names = new Intl.DisplayNames(i18n.language, { type: 'language' })
      return t(`kokoro.${sex}`, { name: capital(name), language: names.of(spoken) ?? spoken })
    },
  }
}

/** Ids such as Microsoft's, with signs in them, stay as they are. */
const capital = (name: string) => (/^[a-z]+$/.test(name) ? name.charAt(0).toUpperCase() + name.slice(1) : name)
