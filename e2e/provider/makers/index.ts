/** The makers of media that have formats of their own, each in a file. */
import { automatic1111 } from './automatic1111.ts'
import type { Maker } from './call.ts'
import { comfyUi } from './comfyui.ts'
import { elevenLabs } from './elevenlabs.ts'
import { fal } from './fal.ts'
import { madeFiles } from './files.ts'
import { geminiMedia } from './gemini-media.ts'
import { huggingFace } from './huggingface.ts'
import { openaiVideos } from './openai-videos.ts'
import { openRouter } from './openrouter.ts'
import { stability } from './stability.ts'
import { veo } from './veo.ts'
import { whisperCpp } from './whisper-cpp.ts'
import { xai } from './xai.ts'

export const makers: readonly Maker[] = [
  madeFiles,
  geminiMedia,
  stability,
  fal,
  huggingFace,
  comfyUi,
  automatic1111,
  openRouter,
  xai,
  openaiVideos,
  elevenLabs,
  whisperCpp,
  veo,
]
