/** The task of reading print; it runs in a process of its own (see index.ts). */
import { decodePicture } from '../pictures/codecs.ts'
import { PictureFault, type PictureFailure } from '../pictures/fault.ts'
import { readWell } from './attempts.ts'
import { recognisePrint } from './engine.ts'
import { type GreyPicture, shrinkGrey, toGrey } from './grey.ts'
import type { PrintLanguage } from './languages.ts'

export interface PrintRequest {
  readonly bytes: Uint8Array
  /** In the order in which they are tried. */
  readonly languages: readonly PrintLanguage[]
}

export interface Print {
  readonly text: string
  /** How sure the reader is, 0 to 1. */
  readonly confidence: number
  readonly language: PrintLanguage
}

export type PrintFailure = PictureFailure | 'no_print'

/** Larger print is read no better, only slower. */
const longSide = 3500
/** Of the processor; what was read by then stands. */
const mostWorkMs = 25_000
/** Fewer are rather a pattern than a word. */
const leastLetters = 3

/** Bytes in, the text or why there is none out. Throws nothing. */
export const readPrintedPage = async ({
  bytes,
  languages,
}: PrintRequest): Promise<Print | { failure: PrintFailure }> => {
  try {
    const grey = await decodeGrey(bytes)
    const begun = process.cpuUsage()
    const hasTime = (): boolean => {
      const { user, system } = process.cpuUsage(begun)
      return (user + system) / 1000 < mostWorkMs
    }
    const { text, confidence, letters, language } = await readWell(grey, languages, {
      recognise: recognisePrint,
      hasTime,
    })
    return letters < leastLetters ? { failure: 'no_print' } : { text, confidence, language }
  } catch (error) {
    if (error instanceof PictureFault) return { failure: error.failure }
    return { failure: error instanceof RangeError ? 'too_complex' : 'damaged' }
  }
}

/** The colours are let go of before anything is read: they take four times as much. */
const decodeGrey = async (bytes: Uint8Array): Promise<GreyPicture> => {
  const { pixels } = await decodePicture(bytes, Number.POSITIVE_INFINITY)
  return shrinkGrey(toGrey(pixels), longSide)
}
