// `platen layout`: prints the position of every layer of a template file, without drawing it.

import { Command } from 'commander';
import type { NamedValue } from '#server/service/rendering/signed-url.ts';
import { setOption } from './assignment.ts';
import { JSON_OPTION, print } from './output.ts';

interface Options {
  readonly set: readonly NamedValue[];
  readonly json?: boolean;
}

export function layoutCommand(): Command {
  return new Command('layout')
    .description('Print what a render measures, as JSON: each layer’s box, font size, lines and overflow.')
    .argument('<file>', 'a template, or {"template", "modifications"}, as JSON')
    .addOption(setOption('a layer, or layer.property'))
    .option(...JSON_OPTION)
    .action(async (file: string, options: Options) => {
      const [{ describeLayout }, { layOut }, { openFileScene }] = await Promise.all([
        import('#core/layout/describe-layout.ts'),
        import('#core/layout/layout.ts'),
        import('./file-scene.ts'),
      ]);
      const { scene, loaded } = await openFileScene(file, options.set);
      const { boxes, diagnostics } = layOut(scene, loaded.resources);
      const layout = describeLayout(scene, boxes);
      const warnings = [...scene.diagnostics, ...diagnostics, ...loaded.diagnostics];
      for (const { message } of warnings) process.stderr.write(`platen: ${message}\n`);
      print(options.json, layout, JSON.stringify(layout, null, 2));
    });
}
