/** Where the device itself speaks. */
import { languageOf } from './sentences.ts'
import { type Choice, deviceVoices } from './voices.ts'

/**
 * The voice of this device that speaks a text; null: a model does, or the device has none. A model that tells its
 * languages, as the built-in voice does, leaves the others to the device, where that speaks them.
 */
export async function deviceVoiceFor(text: string, choice: Choice): Promise<SpeechSynthesisVoice | null> {
  if (choice.kind === 'device') return await chooseDeviceVoice(text, choice.voice)
  const languages = choice.model.config['languages']
  const language = languageOf(text)
  if (language === null || !Array.isArray(languages) || languages.includes(language)) return null
  return await chooseDeviceVoice(text, null, language)
}

/**
 * The voice of this device for a text: the wanted one if it speaks the language, else one that does. With `language`, only
 * one that speaks it; null: there is none.
 */
async function chooseDeviceVoice(
  text: string,
  wanted: string | null,
  language?: string,
): Promise<SpeechSynthesisVoice | null> {
  const voices = await deviceVoices()
  const spoken = language ?? languageOf(text) ?? document.documentElement.lang
  const speaks = (voice: SpeechSynthesisVoice) => voice.lang.toLowerCase().startsWith(spoken.slice(0, 2))
  const chosen = voices.find(({ voiceURI }) => voiceURI === wanted)
  const fitting = chosen && speaks(chosen) ? chosen : (voices.find(speaks) ?? null)
  return language === undefined ? (fitting ?? chosen ?? voices[0] ?? null) : fitting
}
