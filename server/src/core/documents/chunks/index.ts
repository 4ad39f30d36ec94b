export { type Chunk, type ChunkSize, cut, cutIntoChunks, defaultChunkSize } from './cut.ts'
