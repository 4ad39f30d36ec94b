export { type Chunk, type ChunkSize, cutIntoChunks, runCutTask } from './cut.ts'
