import { SETTINGS, type Setting } from './settings.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|')

const formatDefault = (setting: Setting<unknown>): string => {
  if (setting.fallbackText !== undefined) return `\`${setting.fallbackText}\``
  const { fallback } = setting
  if (fallback === undefined) return ''
  if (typeof fallback === 'boolean') return fallback ? '`on`' : '`off`'
  return typeof fallback === 'string' || typeof fallback === 'number' ? `\`${fallback}\`` : ''
}

/** docs/configuration.md, made by `npm run docs` and checked by a test. */
export const settingsReference = (): string => `# Configuration

Made from \`packages/server/src/config/settings.ts\` by \`npm run docs\`.

A flag of \`portico serve\` wins over the environment. A value that cannot be used ends the start with one line and exit
code 2. A variable marked † can also be read from the file that \`<NAME>_FILE\` names.

| Environment | Flag | Value | Default | What it does |
|---|---|---|---|---|
${Object.values(SETTINGS)
  .map((setting: Setting<unknown>) =>
    [
      '',
      ` \`${setting.env}\`${setting.isSecret ? ' †' : ''} `,
      setting.flag === undefined ? ' ' : ` \`--${setting.flag}\` `,
      ` ${cell(setting.placeholder)} `,
      ` ${cell(formatDefault(setting))} `,
      ` ${cell(setting.help)} `,
      '',
    ].join('|'),
  )
  .join('\n')}
`
