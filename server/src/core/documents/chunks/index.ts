export { type Chunk, type ChunkSize, cut, cutIntoChunks } from './cut.ts'
