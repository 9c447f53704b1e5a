// The style sheet of the editor, which the build puts here (scripts/build-editor.ts): those of the studio, for a shadow
// tree. What it says of fonts is said by the script, because a shadow tree declares none.

/** `.platen-ui` stands for the root element and the body. */
export const styles: string = '__PLATEN_STYLES__';

/** Family, weight and address of each font of the interface. */
export const interfaceFonts: readonly (readonly [family: string, weight: string, address: string])[] = [
  ['__PLATEN_FONTS__', '', ''],
];
