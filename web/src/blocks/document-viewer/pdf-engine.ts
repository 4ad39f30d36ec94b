/** Opens PDF files for drawing. Heavy: loaded with the first of them, and its worker with it. */
import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy, TextLayer, VerbosityLevel, version } from 'pdfjs-dist'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'

export { TextLayer }
export type { PDFDocumentProxy, PDFPageProxy, PageViewport, RenderTask } from 'pdfjs-dist'

GlobalWorkerOptions.workerSrc = workerUrl
/** Put there by the build, see `pdf-files.ts`. */
const files = `${import.meta.env.BASE_URL}assets/pdf/${version}/`

export interface OpenPdf {
  readonly ready: Promise<PDFDocumentProxy>
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
  return { ready: task.promise, close: () => void task.destroy() }
}
