/** Hands the samples of the microphone to the page, about a twentieth of a second at a time. */

// The scope of worklets has types of its own, which the page's do not know.
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void

const blockLength = 2048

class Recorder extends AudioWorkletProcessor {
  #block = new Float32Array(blockLength)
  #at = 0

  process([input]: Float32Array[][]): boolean {
    const channel = input?.[0]
    if (!channel) return true
    for (const sample of channel) {
      this.#block[this.#at++] = sample
      if (this.#at < blockLength) continue
      this.port.postMessage(this.#block, [this.#block.buffer])
      this.#block = new Float32Array(blockLength)
      this.#at = 0
    }
    return true
  }
}

registerProcessor('recorder', Recorder)
