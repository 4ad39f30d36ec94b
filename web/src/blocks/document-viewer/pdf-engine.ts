/** Opens PDF files for drawing. Heavy: loaded with the first of them, and its worker with it. */
import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy, TextLayer, VerbosityLevel, version } from 'pdfjs-dist'
// The build gives the address of a module that has nothing by default.
// oxlint-disable-next-line import/default
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'

export type { PDFDocumentProxy, RenderTask } from 'pdfjs-dist'

GlobalWorkerOptions.workerSrc = workerUrl
/** Put there by the build, see `pdf-files.ts`. */
const files = `${import.meta.env.BASE_URL}assets/pdf/${version}/`

export interface OpenPdf {
  readonly ready: Promise<PDFDocumentProxy>
  /** Lays the words of a page over its picture. */
  layWords(parameters: ConstructorParameters<typeof TextLayer>[0]): TextLayer
  close(): void
}

export function openPdf(url: string): OpenPdf {
  const task = getDocument({
    url,
    cMapUrl: `${files}cmaps/`,
    standardFontDataUrl: `${files}standard_fonts/`,
    wasmUrl: `${files}wasm/`,
    // The content security policy allows no WebAssembly; plain scripts do its work.
    useWasm: false,
    // What is odd about a file is no news for a console.
    verbosity: VerbosityLevel.ERRORS,
    disableAutoFetch: true,
    // A bomb among pictures is left out and the rest of the page drawn.
    maxImageSize: 64 * 1024 * 1024,
    canvasMaxAreaInBytes: 256 * 1024 * 1024,
  })
  return {
    ready: task.promise,
    layWords: (parameters) => new TextLayer(parameters),
    close: () => void task.destroy(),
  }
}
