/** Recorded exchanges of embeddings, in the shapes that their makers document. */
import type { Exchange } from './exchange.ts'
import {} from './samples.ts'

export const embeddings: readonly Exchange[] = [
  {
    operation: 'embedding',
    format: 'huggingface',
    endpoint: '/hf-inference/models/BAAI/bge-m3/pipeline/feature-extraction',
    model: 'BAAI/bge-m3',
    ask: { input: ['a', 'b'] },
    answers: {
      'POST /hf-inference/models/BAAI/bge-m3/pipeline/feature-extraction': {
        body: [
          [0.1, 0.2],
          [0.3, 0.4],
        ],
      },
    },
    said: [{ path: 'POST /hf-inference/models/BAAI/bge-m3/pipeline/feature-extraction', json: { inputs: ['a', 'b'] } }],
    result: {
      vectors: [
        [0.1, 0.2],
        [0.3, 0.4],
      ],
    },
    units: { kind: 'inputs', input: 2, output: 2 },
  },
]
