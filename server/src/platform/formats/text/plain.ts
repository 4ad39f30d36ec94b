/** Text without a structure of its own: notes, logs. */
import type { Extract } from '../types.ts'
import { decodeText } from './decode.ts'

export const readText = (bytes: Uint8Array): Extract => ({ text: decodeText(bytes), segments: [], title: null })
