/** Why a picture cannot be looked at, in a closed list. */
export type PictureFailure = 'unsupported' | 'damaged' | 'too_complex' | 'timeout'

/** Thrown within the process that decodes. */
export class PictureFault extends Error {
  readonly failure: PictureFailure
  constructor(failure: PictureFailure) {
    super(failure)
    this.failure = failure
  }
}
