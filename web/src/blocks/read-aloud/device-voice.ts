import { languageOf } from './sentences.ts'
import { deviceVoices } from './voices.ts'

/**
 * The voice of this device for a text: the wanted one if it speaks the language, else one that does. With `language`, only
 * one that speaks it; null: there is none.
 */
export async function chooseDeviceVoice(
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
