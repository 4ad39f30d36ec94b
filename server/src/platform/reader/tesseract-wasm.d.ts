/** What is used of the package, whose own types its `exports` do not name. */
declare module 'tesseract-wasm' {
  export interface TextItem {
    /** Bits of `layoutFlags`. */
    readonly flags: number
    /** 0 to 1. */
    readonly confidence: number
    readonly text: string
  }
  export interface OCREngine {
    loadModel(weights: Uint8Array): void
    loadImage(image: {
      readonly data: Uint8ClampedArray<ArrayBuffer>
      readonly width: number
      readonly height: number
    }): void
    clearImage(): void
    getTextBoxes(unit: 'line' | 'word'): TextItem[]
    getText(): string
  }
  export const layoutFlags: { readonly StartOfLine: number; readonly EndOfLine: number }
  export function createOCREngine(options: { readonly wasmBinary: Uint8Array }): Promise<OCREngine>
}
