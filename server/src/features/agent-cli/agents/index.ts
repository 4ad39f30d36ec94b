/** The agents that Atrium knows. */
import claude from './claude.json' with { type: 'json' }
import codex from './codex.json' with { type: 'json' }
import copilot from './copilot.json' with { type: 'json' }
import gemini from './gemini.json' with { type: 'json' }
import goose from './goose.json' with { type: 'json' }
import kiro from './kiro.json' with { type: 'json' }
import opencode from './opencode.json' with { type: 'json' }
import pi from './pi.json' with { type: 'json' }
import qwen from './qwen.json' with { type: 'json' }

export const bundledAgents: readonly unknown[] = [claude, codex, opencode, gemini, kiro, goose, copilot, qwen, pi]
