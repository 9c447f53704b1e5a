// The commands of `platen` by name. The file of each is loaded when the command runs.

import type { Command } from 'commander';

/** By name, in the order of the help. A command's file is loaded when it is asked for, or when the help lists them all. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand(),
  render: async () => (await import('./render.ts')).renderCommand(),
  batch: async () => (await import('./batch.ts')).batchCommand(),
  layout: async () => (await import('./layout.ts')).layoutCommand(),
  account: async () => (await import('./account.ts')).accountCommand(),
  key: async () => (await import('./key.ts')).keyCommand(),
  user: async () => (await import('./user.ts')).userCommand(),
  template: async () => (await import('./template.ts')).templateCommand(),
  texts: async () => (await import('./texts.ts')).textsCommand(),
  import: async () => (await import('./import.ts')).importCommand(),
  types: async () => (await import('./typed-layers.ts')).typedLayersCommand(),
  secret: async () => (await import('./key.ts')).secretCommand(),
  audit: async () => (await import('./audit.ts')).auditCommand(),
  sign: async () => (await import('./sign.ts')).signCommand(),
  webhook: async () => (await import('./webhook.ts')).webhookCommand(),
  backup: async () => (await import('./backup.ts')).backupCommand(),
  restore: async () => (await import('./backup.ts')).restoreCommand(),
  'migrate-to': async () => (await import('./backup.ts')).migrateToCommand(),
  mcp: async () => (await import('./mcp.ts')).mcpCommand(),
  fonts: async () => (await import('./fonts.ts')).fontsCommand(),
  healthcheck: async () => (await import('./serve.ts')).healthcheckCommand(),
  doctor: async () => (await import('./serve.ts')).doctorCommand(),
};
