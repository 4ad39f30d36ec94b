/**
 * Reads one file of any format. It runs in a process of its own (see index.ts): nothing of the server may import it, for
 * the libraries it needs are large, and what they are given is hostile.
 */
import type { ReadRequest, ReadResult } from './types.ts'

/** The task: bytes in, what was read or why not out. Never throws. */
export const read = async (_request: ReadRequest): Promise<ReadResult> => ({ failure: 'unsupported' })
