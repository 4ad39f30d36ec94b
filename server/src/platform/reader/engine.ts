/** Tesseract in WebAssembly, with the weights of a language. Only processes that may be killed import this. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { OCREngine, TextItem } from 'tesseract-wasm'
import { toPixels, type GreyPicture } from './grey.ts'
import type { PrintLanguage } from './languages.ts'

export interface Reading {
  /** Where it is sure of little, only what it is sure of. */
  readonly text: string
  /** Of words that have letters or digits, by how many they have; 0 to 1, and 0 where there are none. */
  readonly confidence: number
  /** Letters and digits in words that it is sure of: a picture without print gives a blank word with much confidence. */
  readonly letters: number
}

const { resolve } = createRequire(import.meta.url)
const engines = new Map<PrintLanguage, OCREngine>()

/** Reads a picture as it lies. */
export const recognisePrint = async (grey: GreyPicture, language: PrintLanguage): Promise<Reading> => {
  const engine = engines.get(language) ?? (await startEngine(language))
  const { EndOfLine: endOfLine } = (await import('tesseract-wasm')).layoutFlags
  engine.loadImage(toPixels(grey))
  const words = engine.getTextBoxes('word')
  const whole = engine.getText().trim()
  engine.clearImage()
  let [letters, sure, confidence] = [0, 0, 0]
  for (const word of words) {
    const count = word.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
    letters += count
    confidence += count * word.confidence
    if (word.confidence >= leastSure && count > 1) sure += count
  }
  const mean = letters === 0 ? 0 : confidence / letters
  return { text: mean < doubtful ? sureText(words, endOfLine) : whole, confidence: mean, letters: sure }
}

const leastSure = 0.6
const doubtful = 0.6

/** Of a photograph with a sign the sign, and not the leaves beside it. */
const sureText = (words: readonly TextItem[], endOfLine: number): string => {
  let text = ''
  for (const word of words) {
    if (word.confidence >= leastSure) text += `${word.text} `
    if (word.flags & endOfLine) text += '\n'
  }
  return text.replace(/ *\n[\n ]*/g, '\n').trim()
}

const startEngine = async (language: PrintLanguage): Promise<OCREngine> => {
  const { createOCREngine } = await import('tesseract-wasm')
  const wasmBinary = readFileSync(join(dirname(resolve('tesseract-wasm')), 'tesseract-core.wasm'))
  const engine = await createOCREngine({ wasmBinary })
  engine.loadModel(gunzipSync(readFileSync(resolve(weights[language]))))
  engines.set(language, engine)
  return engine
}

const weights: Readonly<Record<PrintLanguage, string>> = {
  en: '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz',
  ar: '@tesseract.js-data/ara/4.0.0_best_int/ara.traineddata.gz',
}
