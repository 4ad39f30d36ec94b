/** The agents that Atrium knows. */
import copilot from './copilot.json' with { type: 'json' }
import gemini from './gemini.json' with { type: 'json' }
import goose from './goose.json' with { type: 'json' }
import kiro from './kiro.json' with { type: 'json' }
import opencode from './opencode.json' with { type: 'json' }
import qwen from './qwen.json' with { type: 'json' }

export const bundledAgents: readonly unknown[] = [opencode, gemini, kiro, goose, copilot, qwen]
