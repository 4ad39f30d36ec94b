/** The emoji that the picker offers, and those that were used lately on this device. */

const lines = {
  people: '👍 👎 👏 🙏 🙌 👋 🤝 👌 ✌️ 🤞 💪 👀 👉 👆 ✋ 🤷 🤦 🙋 💁 🧠',
  faces:
    '😀 😄 😁 😂 🤣 😊 🙂 😉 😍 🥰 😘 😎 🤩 🥳 🤔 🤨 😐 😏 🙄 😬 😌 😴 😅 😢 😭 😞 😕 😟 😮 😱 😳 😡 🤯 🥺 🤗 🫡 🤫 🤒 🤓 😈 👻 🤖',
  hearts: '❤️ 🧡 💛 💚 💙 💜 🖤 💔 💯 ✨ ⭐ 🔥 💥 🎉 🎊 🎂 🎁 🏆 🥇 🎯',
  signs: '✅ ☑️ ❌ ⚠️ 🚫 ⛔ ❓ ❗ ➕ ➖ 🔴 🟡 🟢 🔵 🔔 🔕 🔒 🔓 🔑 ♻️',
  things: '🚀 💡 📌 📎 📝 📄 📊 📈 📉 📅 ⏰ ⏳ 📞 📧 💻 🖥️ ⚙️ 🔧 🐛 🔍 🔗 💾 🗑️ 💰 🏠 🏢 ✈️ 🚗 🎵 📷',
  nature: '☀️ 🌤️ 🌧️ ❄️ 🌈 🌙 🌍 🌱 🌹 🌳 🐶 🐱 🦊 🐢 🦄 ☕ 🍵 🍕 🍎 🍰 🍻 🥗 🍫 ⚽',
} as const

type EmojiGroup = keyof typeof lines

export const emojiGroups = Object.entries(lines).map(([group, line]) => ({
  group: group as EmojiGroup,
  emoji: line.split(' '),
}))

const place = 'atrium.emoji'
const most = 16

/** The last used first. */
export function recentEmoji(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string').slice(0, most) : []
  } catch {
    // Switched off, or nonsense: as good as none.
    return []
  }
}

export function rememberEmoji(emoji: string): void {
  try {
    localStorage.setItem(place, JSON.stringify([emoji, ...recentEmoji().filter((one) => one !== emoji)].slice(0, most)))
  } catch {
    // The browser's space is used up.
  }
}
